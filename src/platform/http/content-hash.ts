import { hash } from 'node:crypto';

/** A style or script of a page as its Content-Security-Policy allows it: by its SHA-256. */
export const contentHash = (content: string): string => `'sha256-${hash('sha256', content, 'base64')}'`;
