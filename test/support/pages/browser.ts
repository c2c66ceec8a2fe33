import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const QUIET = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Launches the machine's Chromium, or the one specified by CHROMIUM; `npm run test:browser` is for machines that have one. */
export function launchBrowser(): Promise<Browser> {
  const found = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));
  const executablePath = process.env['CHROMIUM'] ?? found;
  if (executablePath === undefined) throw new Error('no Chromium was found: install one, or name it in CHROMIUM');
  return chromium.launch({ executablePath, args: QUIET });
}
