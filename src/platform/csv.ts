/** Formats a CSV field (RFC 4180), quoted if necessary. */
export const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table as CSV (RFC 4180, CRLF) with a header. Null and absent values are empty fields. */
export function csvTable<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Partial<Record<Column, string | number | null>>>[],
): string {
  const lines = rows.map((row) => columns.map((column) => csvField(String(row[column] ?? ''))).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}
