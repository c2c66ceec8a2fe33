import { createHash } from 'node:crypto';

/** A style or script of a page as its Content-Security-Policy allows it: by its SHA-256. */
export const contentHash = (content: string): string =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
