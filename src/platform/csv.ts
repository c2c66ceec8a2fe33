/** A field of CSV (RFC 4180), in quotes where it needs them. */
export const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
