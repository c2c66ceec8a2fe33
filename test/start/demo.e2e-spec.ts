import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database, type Transaction } from '../../src/platform/database/database.js';
import { ensureDemoOrganization, noteDemo, readDemoAccess } from '../../src/start/demo/access.js';
import { loadDemo, stateOfDemo } from '../../src/start/demo/load.js';
import { untilCachesExpire } from '../support/time/until-caches-expire.js';
import { startTestService, type TestService } from '../support/test-service.js';

/** A database whose next transaction ends by a fault, just before its commit or just after. */
class FailingDatabase extends Database {
  constructor(
    { pool }: Database,
    private readonly moment: 'before the commit' | 'after the commit',
  ) {
    super(pool);
  }

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await super.transaction(async (tx) => {
      await work(tx);
      if (this.moment === 'before the commit') throw new Error('the commit failed');
    });
    throw new Error('the process ended');
  }
}

describe('access to the demo organization', () => {
  let service: TestService;
  let here: string;
  let elsewhere: string;
  const dataDirectory = (): string => {
    const directory = mkdtempSync(join(tmpdir(), 'forecasting-demo-'));
    mkdirSync(join(directory, 'secrets'));
    return directory;
  };
  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await service.database.execute('DELETE FROM organizations');
    [here, elsewhere] = [dataDirectory(), dataDirectory()];
  });
  afterEach(() => {
    for (const directory of [here, elsewhere]) rmSync(directory, { recursive: true });
  });

  const ensure = (directory: string, database = service.app.get(Database)): Promise<void> =>
    ensureDemoOrganization(database, service.secrets, directory, new Date());
  const failing = (moment: 'before the commit' | 'after the commit'): Promise<void> =>
    ensure(here, new FailingDatabase(service.app.get(Database), moment));
  const answers = async (directory: string): Promise<number> => {
    const { apiKey } = readDemoAccess(directory)!;
    return (await fetch(`${service.url}/api/v1/runs`, { headers: { 'x-api-key': apiKey } })).status;
  };

  it('is stored where the organization was created, and not created again', async () => {
    await ensure(here);
    const access = readDemoAccess(here);
    await ensure(here);
    expect(readDemoAccess(here)).toEqual(access);
    expect(await answers(here)).toBe(200);
    expect(readdirSync(join(here, 'secrets'))).toEqual(['demo.json']);
  });

  it('is no longer printed when the key was revoked', async () => {
    await ensure(here);
    const access = readDemoAccess(here)!;
    expect(await stateOfDemo(service.url, access)).toBe('unfinished');
    await service.database.execute('UPDATE api_keys SET revoked_at = now()');
    await untilCachesExpire();
    expect(await stateOfDemo(service.url, access)).toBe('closed');
  });

  it('is no longer printed when the organization is suspended', async () => {
    await ensure(here);
    const access = readDemoAccess(here)!;
    await service.database.execute('UPDATE organizations SET suspended_at = now() WHERE id = $1', [
      access.organizationId,
    ]);
    await untilCachesExpire();
    expect(await stateOfDemo(service.url, access)).toBe('closed');
  });

  it('logs that it waits when no worker forecasts the demo', async () => {
    await ensure(here);
    const written: string[] = [];
    const screen = jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    await loadDemo(service.url, readDemoAccess(here)!, new Date(), () => written.length > 0);
    screen.mockRestore();
    expect(written).toEqual([expect.stringMatching(/: waiting for a worker; .* --role=worker\n$/)]);
  });

  it('identifies the demo organization, even one of an earlier release', async () => {
    await ensure(here);
    await noteDemo(service.app.get(Database), readDemoAccess(here)!);
    const marked = await service.database.query('SELECT id FROM organizations WHERE is_demo');
    expect(marked).toEqual([{ id: readDemoAccess(here)!.organizationId }]);
  });

  it('is not stored for a failed commit, whoever creates the organization next', async () => {
    await expect(failing('before the commit')).rejects.toThrow('the commit failed');
    expect(readDemoAccess(here)).toBeUndefined();
    await ensure(elsewhere);
    await ensure(here);
    expect(readdirSync(join(here, 'secrets'))).toEqual([]);
    expect(await answers(elsewhere)).toBe(200);
  });

  it('is found by the next start when the process ended right after the commit', async () => {
    await expect(failing('after the commit')).rejects.toThrow('the process ended');
    expect(readDemoAccess(here)).toBeUndefined();
    await ensure(here);
    expect(await answers(here)).toBe(200);
  });
});
