import { columnOfDate } from '../demand-day.js';
import { faultOfText, isOwnColumn, MAX_UNIQUE_ID_LENGTH, readAttributes } from '../row-attributes.js';
import { excerpt, type RowCollector } from '../row-collector.js';

/** Why a row is rejected that has demand, or none, unlike the rows before it. */
const DEMAND_AMONG_DESCRIPTIONS =
  'is given, but the rows before have no ds and y and only describe series; upload demand apart';
const DESCRIPTION_AMONG_DEMAND =
  'is missing; if the row only describes a series, upload it apart, with others that have no ds and y';

/** Why a row is rejected that has a member for each month or day. */
const COLUMN_OF_DATE = 'is named after a date; use one row per series and date, with ds and y';

/**
 * The reason against a text that JSON.parse rejects. Python and JavaScript write demand that is missing as NaN, which is not JSON.
 * @param advice for any other text
 */
export function reasonAgainstJson(text: string, advice = ''): string {
  return /:\s*-?(?:NaN|Infinity)\b/.test(text)
    ? 'is not valid JSON: NaN and Infinity are not numbers in it; omit the row if demand is missing'
    : `is not valid JSON${advice}`;
}

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
    return Array.isArray(others['rows'])
      ? rows.refuseRow(line, 'body', 'is an object with rows, as in application/json; send each of its rows as a line')
      : rows.refuseRow(line, 'unique_id', absentOr(uniqueId, 'must be a string or a whole number'));
  const fault = faultOfText(uniqueId, MAX_UNIQUE_ID_LENGTH);
  if (fault !== undefined) return rows.refuseRow(line, 'unique_id', fault);
  const hasDemand = ds !== undefined || y !== undefined;
  const date = hasDemand ? undefined : columnOfDate(Object.keys(others));
  if (date !== undefined) return rows.refuseRow(line, excerpt(date), COLUMN_OF_DATE);
  const describes = !hasDemand && (rows.describes === true || Object.keys(others).some(isOwnColumn));
  rows.describes ??= describes;
  if (rows.describes && hasDemand)
    return rows.refuseRow(line, ds === undefined ? 'y' : 'ds', DEMAND_AMONG_DESCRIPTIONS);
  if (!rows.describes && describes) return rows.refuseRow(line, 'ds', DESCRIPTION_AMONG_DEMAND);
  const series = rows.describes ? rows.addDescribed(line, uniqueId.trim()) : addDemand(rows, line, uniqueId, { ds, y });
  if (series < 0) return;
  const pairs = Object.entries(others);
  if (pairs.length === 0) return;
  rows.describe(series, line, readAttributes(pairs));
}

/** @returns as {@link RowCollector.add} */
function addDemand(
  rows: RowCollector,
  line: number,
  uniqueId: string,
  { ds, y }: { readonly ds: unknown; readonly y: unknown },
): number {
  const refuse = (field: string, reason: string): -1 => {
    rows.refuseRow(line, field, reason);
    return -1;
  };
  if (typeof ds !== 'string') return refuse('ds', absentOr(ds, 'must be a string: YYYY-MM-DD or YYYY-MM'));
  // data frames export a missing value as null
  if (y === null) return refuse('y', 'is null; omit the row if demand is missing');
  if (typeof y !== 'number') {
    return refuse('y', absentOr(y, `must be a number${typeof y === 'string' ? ', without quotes' : ''}`));
  }
  return rows.add(line, uniqueId.trim(), ds, y);
}

function absentOr(value: unknown, otherwise: string): string {
  return value === undefined || value === null ? 'is missing' : otherwise;
}
