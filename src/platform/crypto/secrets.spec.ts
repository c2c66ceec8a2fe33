import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../../config/settings.js';
import { loadSecrets } from './secrets.js';

describe('the secrets of an installation', () => {
  let DATA_DIR: string;
  beforeEach(() => {
    DATA_DIR = mkdtempSync(join(tmpdir(), 'forecasting-secrets-'));
  });
  afterEach(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  const load = () => loadSecrets(loadSettings({ DATA_DIR }));

  it('are created once', () => {
    const made = load();
    expect(made.encryptionKey).toHaveLength(32);
    expect(load()).toEqual(made);
  });

  it('are rejected when the encryption key file contains no key', () => {
    mkdirSync(join(DATA_DIR, 'secrets'));
    writeFileSync(join(DATA_DIR, 'secrets', 'encryption-key'), 'a passphrase of somebody');
    expect(load).toThrow('encryption-key must contain 64 hexadecimal digits');
  });
});
