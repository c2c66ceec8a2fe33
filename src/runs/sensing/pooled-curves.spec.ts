import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Database } from '../../platform/database/database.js';
import { PooledCurves } from './pooled-curves.js';

const MONTH = 12 * 2026 + 10;
const TENANT = { organizationId: 'o', workspaceId: 'w' };

/** A year of daily demand as encoded by array_send: one piece per day. */
function packedYear(): { days: Buffer; quantities: Buffer } {
  const days = Buffer.alloc(20 + 365 * 8);
  const quantities = Buffer.alloc(20 + 365 * 12);
  for (let day = 0; day < 365; day += 1) {
    days.writeInt32BE((Date.UTC(2025, 0, 1 + day) - Date.UTC(2000, 0, 1)) / 86_400_000, 20 + 8 * day + 4);
    quantities.writeDoubleBE(1, 20 + 12 * day + 4);
  }
  return { days, quantities };
}

describe('pooled curves', () => {
  afterEach(() => void jest.restoreAllMocks());

  /** Curves backed by a database that counts the readings of its only series. */
  const curves = (rows: readonly object[]) => {
    const seen = { readings: 0, now: 0 };
    const database = {
      query: (sql: string) => {
        if (!sql.includes('array_send')) return Promise.resolve([{ id: 's' }]);
        seen.readings += 1;
        return Promise.resolve(rows);
      },
    } as unknown as Database;
    jest.spyOn(performance, 'now').mockImplementation(() => seen.now);
    return { seen, pooled: new PooledCurves(database) };
  };
  const daily = [{ seriesId: 's', year: 2025, observedMonths: 4095, monthFigures: 0, ...packedYear() }];

  it('are read once for concurrent and subsequent requests, and again after five minutes', async () => {
    const { seen, pooled } = curves(daily);
    const [first, second] = await Promise.all([pooled.get(TENANT, MONTH), pooled.get(TENANT, MONTH)]);
    expect(first?.months).toHaveLength(12);
    expect(second).toBe(first);
    seen.now = 299_999;
    expect(await pooled.get(TENANT, MONTH)).toBe(first);
    expect(seen.readings).toBe(1);
    seen.now = 300_000;
    expect(await pooled.get(TENANT, MONTH)).not.toBe(first);
    expect(seen.readings).toBe(2);
  });

  it('are specific to an organization, workspace and month', async () => {
    const { seen, pooled } = curves(daily);
    const others = [{ ...TENANT, organizationId: 'p' }, { ...TENANT, workspaceId: 'v' }, TENANT];
    for (const tenant of others) await pooled.get(tenant, MONTH);
    await pooled.get(TENANT, MONTH + 1);
    expect(seen.readings).toBe(4);
  });

  it('are not cached when there are none yet', async () => {
    const { seen, pooled } = curves([]);
    for (let n = 0; n < 2; n += 1) expect(await pooled.get(TENANT, MONTH)).toBeUndefined();
    expect(seen.readings).toBe(2);
  });
});
