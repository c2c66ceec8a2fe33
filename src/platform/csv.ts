/** Formats a CSV field (RFC 4180), quoted if necessary. */
export const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
