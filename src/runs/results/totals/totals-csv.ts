import { csvTable } from '../../../platform/csv.js';
import type { ForecastTotalDto } from './forecast-totals.dto.js';

const COLUMNS = ['category', 'unit', 'ds', 'months', 'series', 'q10', 'q50', 'q90', 'mean'] as const;

/** Totals as CSV: the members of the JSON, in their order. */
export const totalsCsv = (totals: readonly ForecastTotalDto[], withFinal: boolean): string =>
  csvTable(withFinal ? [...COLUMNS, 'final' as const] : COLUMNS, totals);
