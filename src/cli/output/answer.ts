import { alignColumns } from './columns.js';
import type { Host } from '../host.js';

/** The result of a command: a record or a list of them. */
export type Answer = object | readonly object[];

/** Writes the answer as JSON for programs, or as aligned lines for people. */
export function writeAnswer(host: Host, answer: Answer, json: boolean): void {
  host.stdout.write(`${json ? JSON.stringify(answer, null, 2) : forPeople(answer)}\n`);
}

function forPeople(answer: Answer): string {
  if (!isList(answer)) {
    const lines = Object.entries(answer).map(([name, value]) => [name, text(value)]);
    return alignColumns(lines).join('\n');
  }
  if (answer.length === 0) return 'none';
  const names = [...new Set(answer.flatMap((row) => Object.keys(row)))];
  const cellsOf = (row: object): string[] => names.map((name) => text((row as Record<string, unknown>)[name]));
  const rows = [names, ...answer.map(cellsOf)];
  return alignColumns(rows).join('\n');
}

function isList(answer: Answer): answer is readonly object[] {
  return Array.isArray(answer);
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
