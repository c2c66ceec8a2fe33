import { alignColumns } from '../../src/cli/output/columns.js';

/** Characters of a line that a terminal shows without breaking it, on a wide screen. */
const WIDEST = 180;

/**
 * Text rendering of a benchmark's report: nested objects become sections, objects of plain values become rows of one table, or
 * a section each where the table would be too wide to read.
 */
export function renderReport(report: object, heading = ''): string {
  const entries = Object.entries(report) as [string, unknown][];
  if (entries.length > 0 && entries.every(([, value]) => isRow(value))) {
    const records = entries.map(([name, value]) => ({ name, cells: value as Record<string, unknown> }));
    // Rows may differ in what they could measure: every column that any of them has, empty where a row has none.
    const columns = [...new Set(records.flatMap(({ cells }) => Object.keys(cells)))];
    const rows = records.map(({ name, cells }) => [
      name,
      ...columns.map((column) => (column in cells ? formatCell(cells[column]) : '')),
    ]);
    const lines = alignColumns([['', ...columns], ...rows]);
    if (lines.every((line) => line.length <= WIDEST)) return `${heading}\n${lines.join('\n')}\n`;
  }
  const parts = entries.map(([name, value]) =>
    isSection(value)
      ? renderReport(value, heading === '' ? name : `${heading} / ${name}`)
      : `${name}: ${formatCell(value)}`,
  );
  const isHeaded = heading !== '' && entries.some(([, value]) => !isSection(value));
  return (isHeaded ? [heading, ...parts, ''] : parts).join('\n');
}

function isSection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRow(value: unknown): boolean {
  return isSection(value) && Object.values(value).every((cell) => !isSection(cell));
}

function formatCell(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatCell).join(' ');
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toPrecision(4);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
