import { csvTable } from '../../../platform/csv.js';
import type { SafetyStockDto } from '../../../safety-stock/index.js';

const COLUMNS = [
  'unique_id',
  'product_name',
  'unit',
  'safety_stock',
  'reorder_point',
  'lead_time_demand',
  'lead_time_demand_sigma',
  'undershoot',
  'service_level',
  'lead_time',
  'lead_time_sd',
  'method',
  'demand_pattern',
  'warnings',
] as const;

/** Safety stock of many series as CSV: the members of the JSON, with all warnings in one field, and without `assumptions` and ids. */
export const safetyStocksCsv = (stocks: readonly SafetyStockDto[]): string =>
  csvTable(
    COLUMNS,
    stocks.map(({ warnings, ...stock }) => ({ ...stock, warnings: warnings.join(' ') })),
  );
