import { csvField } from '../../../platform/csv.js';
import type { ForecastTotalDto } from './forecast-totals.dto.js';

const COLUMNS = ['category', 'unit', 'ds', 'months', 'series', 'q10', 'q50', 'q90', 'mean'] as const;

/** Totals as CSV (RFC 4180, CRLF) with a header: the members of the JSON, in their order. */
export function totalsCsv(totals: readonly ForecastTotalDto[], withFinal: boolean): string {
  const columns = withFinal ? [...COLUMNS, 'final' as const] : COLUMNS;
  const lines = totals.map((total) => columns.map((column) => csvField(String(total[column] ?? ''))).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}
