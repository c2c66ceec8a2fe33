import { faultOfText, readAttributes } from '../row-attributes.js';
import { MAX_UNIQUE_ID_LENGTH, type RowCollector } from '../row-collector.js';

/** Adds one parsed JSON value as a row; shared by the JSON and NDJSON readers. */
export function addObjectRow(rows: RowCollector, line: number, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    rows.refuseRow(line, 'body', 'must be a JSON object with unique_id, ds and y');
    return;
  }
  const { unique_id: id, ds, y, ...others } = value as Record<string, unknown>;
  // shops number their products; integers larger than these lose digits in JSON
  const uniqueId = Number.isSafeInteger(id) ? String(id) : id;
  if (typeof uniqueId !== 'string')
    return rows.refuseRow(line, 'unique_id', absentOr(uniqueId, 'must be a string or a whole number'));
  const fault = faultOfText(uniqueId, MAX_UNIQUE_ID_LENGTH);
  if (fault !== undefined) return rows.refuseRow(line, 'unique_id', fault);
  if (typeof ds !== 'string')
    return rows.refuseRow(line, 'ds', absentOr(ds, 'must be a string: YYYY-MM-DD or YYYY-MM'));
  // data frames export a missing value as null
  if (y === null) return rows.refuseRow(line, 'y', 'is null; omit the row if demand is missing');
  if (typeof y !== 'number')
    return rows.refuseRow(line, 'y', absentOr(y, `must be a number${typeof y === 'string' ? ', without quotes' : ''}`));
  const series = rows.add(line, uniqueId.trim(), ds, y);
  if (series < 0) return;
  const pairs = Object.entries(others);
  if (pairs.length === 0) return;
  rows.describe(series, line, readAttributes(pairs));
}

function absentOr(value: unknown, otherwise: string): string {
  return value === undefined || value === null ? 'is missing' : otherwise;
}
