import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
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

  it('that do not fit on the disk are reported with the file and what to do', () => {
    const full = jest.spyOn(fs, 'writeFileSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
    try {
      expect(load).toThrow(
        `DATA_DIR ${DATA_DIR} cannot be used (ENOSPC: no space left on device, write '${join(DATA_DIR, 'secrets', 'api-key-pepper')}'); free up disk space`,
      );
    } finally {
      full.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('are rejected when the encryption key file contains no key', () => {
    mkdirSync(join(DATA_DIR, 'secrets'));
    writeFileSync(join(DATA_DIR, 'secrets', 'encryption-key'), 'a passphrase of somebody');
    expect(load).toThrow('encryption-key must contain 64 hexadecimal digits');
  });
});
