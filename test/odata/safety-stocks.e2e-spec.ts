import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LATEST_ADVISED_OF_WORKSPACES } from '../../src/runs/index.js';
import { StockAhead } from '../../src/runs/stock/stock-ahead.js';
import { type SeriesAdvice, storeSafetyStocks } from '../../src/runs/stock/safety-stocks.queries.js';
import { eventually } from '../support/eventually.js';
import { holdRows, untilLockAwaited } from '../support/held-rows.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { type Row, type SeededFeed, seedFeed } from './feed.js';

describe('stored safety stock', () => {
  let service: TestService;
  let seeded: SeededFeed;
  beforeAll(async () => {
    service = await startTestService();
    seeded = await seed();
  });
  afterAll(() => service.close());
  beforeEach(() => forget());

  const untilStored = (runId: string) =>
    eventually('the safety stock of the run is stored', async () => {
      const [run] = await service.database.query('SELECT FROM runs WHERE id = $1 AND stock_formula IS NOT NULL', [
        runId,
      ]);
      return run;
    });

  /** Runs whose safety stock has been stored already. */
  const seed = async (): Promise<SeededFeed> => {
    const feed = await seedFeed(service);
    await untilStored(feed.runs[1]);
    return feed;
  };
  const forget = async (): Promise<void> => {
    await service.database.execute('UPDATE runs SET stock_formula = NULL');
    await service.database.execute('DELETE FROM safety_stocks');
  };

  const storedRuns = async (): Promise<string[]> => {
    const rows = await service.database.query<{ run_id: string }>('SELECT DISTINCT run_id FROM safety_stocks');
    return rows.map((row) => row.run_id);
  };
  /** Reads the feed as it was before the later run had completed. */
  async function readEarlier(): Promise<Row[]> {
    await service.database.execute(`UPDATE runs SET status = 'running' WHERE id = $1`, [seeded.runs[1]]);
    const rows = await seeded.feed.rows('SafetyStocks');
    await service.database.execute(`UPDATE runs SET status = 'completed' WHERE id = $1`, [seeded.runs[1]]);
    return rows;
  }

  it('of an earlier run is deleted when a later one is stored', async () => {
    await readEarlier();
    expect(await storedRuns()).toEqual([seeded.runs[0]]);
    const rows = await seeded.feed.rows('SafetyStocks');
    expect(new Set(rows.map((row) => row['run_id']))).toEqual(new Set([seeded.runs[1]]));
    expect(await storedRuns()).toEqual([seeded.runs[1]]);
  });

  it('of an earlier run is computed again where it is the latest once more, as after the deletion of the later one', async () => {
    const rows = await readEarlier();
    await seeded.feed.rows('SafetyStocks');
    expect(await readEarlier()).toEqual(rows);
    expect(rows.map((row) => row['run_id'])).toContain(seeded.runs[0]);
  });

  /** What is stored of the earlier run, in the order in which its series were made. */
  async function earlierAdvice(): Promise<SeriesAdvice[]> {
    const rows = await service.database.query<{ series_id: string } & SeriesAdvice['advice']>(
      'SELECT * FROM safety_stocks WHERE run_id = $1 ORDER BY series_id',
      [seeded.runs[0]],
    );
    return rows.map(({ series_id: seriesId, ...advice }) => ({ seriesId, advice: { ...advice, warnings: [] } }));
  }

  it('is that of a run as soon as it has completed, before anyone reads it', async () => {
    const other = await seed();
    const { id } = await other.api.run({ workspace_id: other.workspaceId, config_overrides: { horizon: 4 } });
    await untilStored(id);
    expect(await storedRuns()).toContain(id);
  });

  it('is stored by workers where it is missing, or of another formula, in organizations whose plan has the feed', async () => {
    const other = await seed();
    await service.database.execute(`UPDATE organizations SET plan = 'starter' WHERE id = $1`, [other.organizationId]);
    const stored = await eventually('that of a plan without the feed stays missing', async () => {
      await forget(); // the worker that stored it may just be looking once more
      await service.app.get(StockAhead).round();
      const runs = await storedRuns();
      return runs.includes(other.runs[1]) ? undefined : runs;
    });
    expect(stored).toContain(seeded.runs[1]);
    await service.database.execute('UPDATE safety_stocks SET safety_stock = -1');
    await service.database.execute('UPDATE runs SET stock_formula = 0 WHERE stock_formula IS NOT NULL');
    await service.app.get(StockAhead).round();
    expect(await service.database.query('SELECT FROM safety_stocks WHERE safety_stock < 0')).toEqual([]);
  });

  it('is stored by workers for the targets that have changed since', async () => {
    await seeded.feed.rows('SafetyStocks');
    await service.database.execute(
      `WITH changed AS (UPDATE series SET lead_time_months = 2 WHERE workspace_id = $1)
       UPDATE workspaces SET stock_target_version = stock_target_version + 1 WHERE id = $1`,
      [seeded.workspaceId],
    );
    await service.app.get(StockAhead).round();
    const leadTimes = await service.database.query(
      'SELECT DISTINCT lead_time::float8 AS lead_time FROM safety_stocks WHERE run_id = $1',
      [seeded.runs[1]],
    );
    await service.database.execute('UPDATE series SET lead_time_months = NULL WHERE workspace_id = $1', [
      seeded.workspaceId,
    ]);
    expect(leadTimes).toEqual([{ lead_time: 2 }]);
  });

  it('is stored without waiting for workspaces that are being deleted', async () => {
    const other = await seed();
    await forget();
    await using held = await holdRows(service.database, 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [
      other.workspaceId,
    ]);
    await service.app.get(StockAhead).round();
    const stored = await storedRuns();
    expect([stored.includes(seeded.runs[1]), stored.includes(other.runs[1])]).toEqual([true, false]);
    expect(await other.feed.rows('SafetyStocks')).toEqual([]);
    await held.release();
    expect(await other.feed.rows('SafetyStocks')).not.toEqual([]);
  });

  it('of an earlier run that another process is still storing is deleted afterwards, whatever the order of its series', async () => {
    await readEarlier();
    const { organizationId, workspaceId } = seeded;
    const run = { organizationId, workspaceId, runId: seeded.runs[0] };
    const pieces = await earlierAdvice();
    // the last series first: who deletes comes upon it when the others are deleted
    const reading = await service.database.transaction(async (tx) => {
      await storeSafetyStocks(tx, run, pieces.slice(-1), 0);
      const began = seeded.feed.rows('SafetyStocks');
      await untilLockAwaited(service.database, 1);
      await storeSafetyStocks(tx, run, pieces.slice(0, -1), 0);
      return { began };
    });
    expect(new Set((await reading.began).map((row) => row['run_id']))).toEqual(new Set([seeded.runs[1]]));
    expect(await storedRuns()).toEqual([seeded.runs[1]]);
  });

  it('of an earlier run is not waited for while someone else deletes it', async () => {
    await readEarlier();
    const [{ seriesId }] = (await earlierAdvice()) as [SeriesAdvice];
    await using held = await holdRows(service.database, 'SELECT FROM safety_stocks WHERE series_id = $1 FOR UPDATE', [
      seriesId,
    ]);
    const rows = await seeded.feed.rows('SafetyStocks');
    await held.release();
    expect(new Set(rows.map((row) => row['run_id']))).toEqual(new Set([seeded.runs[1]]));
  });

  it('of an earlier run is returned until that of a run completing meanwhile is stored', async () => {
    await readEarlier();
    const latest = await service.database.query(`SELECT latest.id FROM ${LATEST_ADVISED_OF_WORKSPACES}`, [
      seeded.organizationId,
      seeded.workspaceId,
    ]);
    expect(latest).toEqual([{ id: seeded.runs[0] }]);
  });

  it('is computed within the concurrency limit of a key', async () => {
    await using held = await holdRows(service.database, 'SELECT FROM series WHERE workspace_id = $1 FOR UPDATE', [
      seeded.workspaceId,
    ]);
    const reading = Array.from({ length: 3 }, () => seeded.feed.get('SafetyStocks'));
    await held.untilAwaitedBy(1);
    expect((await Promise.race(reading)).status).toBe(429);
    await held.release();
    expect((await Promise.all(reading)).map(({ status }) => status).sort()).toEqual([200, 200, 429]);
  });

  it('is recomputed if it was computed with another formula', async () => {
    const rows = await seeded.feed.rows('SafetyStocks');
    await service.database.execute(
      `UPDATE safety_stocks SET safety_stock = -1, reorder_point = -1, lead_time_demand = -1, lead_time_demand_sigma = -1,
         undershoot = -1, lead_time = 9, lead_time_sd = 9, service_level = 0.6, method = 'none', demand_pattern = 'dead',
         warnings = 'of an earlier formula'`,
    );
    await service.database.execute('UPDATE runs SET stock_formula = 0 WHERE stock_formula IS NOT NULL');
    expect(await seeded.feed.rows('SafetyStocks')).toEqual(rows);
  });

  it('is not returned before that of all series is stored', async () => {
    const rows = await seeded.feed.rows('SafetyStocks');
    await service.database.execute('UPDATE runs SET stock_formula = NULL');
    await service.database.execute(`DELETE FROM safety_stocks USING series WHERE id = series_id AND unique_id = 'D-1'`);
    expect(await seeded.feed.rows('SafetyStocks')).toEqual(rows);
  });

  it('is not returned for a run that is no longer the latest when it is stored', async () => {
    await service.database.execute(`UPDATE runs SET status = 'running' WHERE id = $1`, [seeded.runs[1]]);
    await using held = await holdRows(service.database, 'SELECT FROM series WHERE workspace_id = $1 FOR UPDATE', [
      seeded.workspaceId,
    ]);
    const reading = seeded.feed.rows('SafetyStocks');
    await held.untilAwaitedBy(1);
    await held.release((tx) => tx.execute(`UPDATE runs SET status = 'completed' WHERE id = $1`, [seeded.runs[1]]));
    expect(new Set((await reading).map((row) => row['run_id']))).toEqual(new Set([seeded.runs[1]]));
    const stored = await service.database.query('SELECT id FROM runs WHERE stock_formula IS NOT NULL');
    expect(stored).toEqual([{ id: seeded.runs[1] }]);
  });

  it('is that of the previous run when the latest is deleted during computation', async () => {
    const other = await seed();
    await forget();
    await using held = await holdRows(service.database, 'SELECT FROM series WHERE workspace_id = $1 FOR UPDATE', [
      other.workspaceId,
    ]);
    const reading = other.feed.rows('SafetyStocks');
    await held.untilAwaitedBy(1);
    await held.release((tx) => tx.execute('DELETE FROM runs WHERE id = $1', [other.runs[1]]));
    expect(new Set((await reading).map((row) => row['run_id']))).toEqual(new Set([other.runs[0]]));
  });

  it('omits a series that is deleted during computation', async () => {
    const all = (await seeded.feed.rows('SafetyStocks')).map((row) => row['unique_id']);
    expect(all).toContain('D-1');
    await forget();
    await using held = await holdRows(
      service.database,
      `SELECT FROM series WHERE workspace_id = $1 AND unique_id = 'D-1' FOR UPDATE`,
      [seeded.workspaceId],
    );
    const reading = seeded.feed.get('SafetyStocks');
    await held.untilAwaitedBy(1);
    await held.release((tx) =>
      tx.execute(`DELETE FROM series WHERE workspace_id = $1 AND unique_id = 'D-1'`, [seeded.workspaceId]),
    );
    const { status, body } = await reading;
    expect([status, body.value.map((row) => row['unique_id'])]).toEqual([200, all.filter((id) => id !== 'D-1')]);
  });
});
