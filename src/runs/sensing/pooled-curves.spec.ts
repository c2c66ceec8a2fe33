import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../platform/clock.js';
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
  /** Curves backed by a database that counts the readings of its only series. */
  const curves = (rows: readonly object[]) => {
    const seen = { readings: 0, fail: false, now: 0, held: undefined as Promise<readonly object[]> | undefined };
    const database = {
      query: (sql: string) => {
        if (seen.fail) return Promise.reject(new Error('the database is away'));
        if (!sql.includes('array_send')) return Promise.resolve([{ id: 's' }]);
        seen.readings += 1;
        return seen.held ?? Promise.resolve(rows);
      },
    } as unknown as Database;
    const clock: Clock = { now: () => new Date(seen.now) };
    return { seen, pooled: new PooledCurves(database, clock) };
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

  it('are read again when the clock was set back', async () => {
    const { seen, pooled } = curves(daily);
    seen.now = 3_600_000;
    await pooled.get(TENANT, MONTH);
    seen.now = 0;
    await pooled.get(TENANT, MONTH);
    expect(seen.readings).toBe(2);
  });

  it('are specific to an organization, workspace and month', async () => {
    const { seen, pooled } = curves(daily);
    const others = [{ ...TENANT, organizationId: 'p' }, { ...TENANT, workspaceId: 'v' }, TENANT];
    for (const tenant of others) await pooled.get(tenant, MONTH);
    await pooled.get(TENANT, MONTH + 1);
    expect(seen.readings).toBe(4);
  });

  it('are not cached when there are none yet or reading failed', async () => {
    const { seen, pooled } = curves([]);
    for (let n = 0; n < 2; n += 1) expect(await pooled.get(TENANT, MONTH)).toBeUndefined();
    expect(seen.readings).toBe(2);
    const away = curves(daily);
    away.seen.fail = true;
    await expect(away.pooled.get(TENANT, MONTH)).rejects.toThrow('away');
    away.seen.fail = false;
    expect(await away.pooled.get(TENANT, MONTH)).toBeDefined();
  });

  it('stay cached when an earlier reading without demand ends later', async () => {
    const { seen, pooled } = curves(daily);
    let end!: (rows: readonly object[]) => void;
    seen.held = new Promise((resolve) => (end = resolve));
    const none = pooled.get(TENANT, MONTH);
    while (seen.readings === 0) await Promise.resolve();
    seen.now = 300_000;
    seen.held = undefined;
    const known = await pooled.get(TENANT, MONTH);
    end([]);
    expect(await none).toBeUndefined();
    await Promise.resolve();
    expect(await pooled.get(TENANT, MONTH)).toBe(known);
  });

  it('are evicted in the order of their last reading', async () => {
    const { seen, pooled } = curves(daily);
    const read = (n: number) => pooled.get({ ...TENANT, workspaceId: `w${n}` }, MONTH);
    await read(0);
    seen.now = 300_000;
    for (const n of [1, 0]) await read(n);
    for (let n = 2; n <= 500; n += 1) await read(n);
    const { readings } = seen;
    await read(0);
    expect(seen.readings).toBe(readings);
  });

  it('are cached for at most five hundred workspaces, evicting the oldest first', async () => {
    const { seen, pooled } = curves(daily);
    const read = (n: number) => pooled.get({ ...TENANT, workspaceId: `w${n}` }, MONTH);
    for (let n = 0; n <= 500; n += 1) await read(n);
    await read(1);
    expect(seen.readings).toBe(501);
    await read(0);
    expect(seen.readings).toBe(502);
  });
});
