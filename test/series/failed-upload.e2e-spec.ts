import { describe, expect, it } from '@jest/globals';
import { BLOCK_SERIES } from '../../src/series/upload/series-dictionary.js';
import { createTenant } from '../support/builders.js';
import { startTestService } from '../support/test-service.js';
import { upload } from './uploads.js';

describe('an upload that the database fails in the middle', () => {
  it('is answered, and its connection does not hold up the stop of the service', async () => {
    const service = await startTestService();
    const tenant = await createTenant(service);
    // no temporary tables: the first block cannot be staged, and half of the body is not read yet
    const database = new URL(service.databaseUrl).pathname.slice(1);
    await service.database.execute(`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
    const rows = Array.from({ length: 3 * BLOCK_SERIES }, (_, i) => `SERIES-NUMBER-${i},2026-01,1\n`).join('');
    const reply = await upload(`${service.url}/api/v1/actuals`, `unique_id,ds,y\n${rows}`, {
      'x-api-key': tenant.workspaceKey,
      'content-type': 'text/csv',
    });
    expect(reply).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    const before = performance.now();
    await service.close();
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
