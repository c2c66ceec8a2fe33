import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { SeriesResult } from '../../src/forecasting/index.js';
import { EngineThreads } from '../../src/runs/engine/engine-threads.js';
import { OverlongTask } from '../../src/runs/engine/thread-pool.js';
import { leaseNextChunk, leaseNextRun, recordFailure, renewLease } from '../../src/runs/work/leases.queries.js';
import { completeChunk, storePlan } from '../../src/runs/work/commits.queries.js';
import { readChunkSummaries } from '../../src/runs/end/ends.queries.js';
import { summarizeChunk } from '../../src/runs/work/chunk-summary.js';
import { poolErrors } from '../../src/inventory/index.js';
import { newId } from '../../src/platform/ids.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { PieceRunner } from '../../src/runs/work/piece-runner.js';
import { demandCsv } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { fillDisk } from '../support/full-disk.js';
import { holdRows } from '../support/held-rows.js';
import { Scrape } from '../support/scrape.js';
import { eventually } from '../support/eventually.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

const SUMMARY = summarizeChunk([], new Map(), { month: null, day: null });
const RESULT = { seriesCount: 1, summary: SUMMARY, findings: { series: [], errorPool: poolErrors([], 1) } };

describe('the lease of a run', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' }); // no worker but the test
  });
  afterAll(() => service.close());

  /** Lets the leases on the run's chunks end now, as time would. */
  const expire = (runId: string): Promise<number> =>
    service.database.execute(
      `UPDATE run_chunks SET lease_expires_at = clock_timestamp() - interval '1 millisecond', wake_at = clock_timestamp()
        WHERE run_id = $1`,
      [runId],
    );

  /** A run that is planned into chunks of made-up series, none of them done. */
  async function plannedRun(chunks: number): Promise<string> {
    const { api } = await tenantWithDemand(service, demandCsv(1, 24));
    const { body } = await api.post<{ id: string }>('/runs', {});
    const run = await leaseNextRun(service.database, randomUUID(), 60_000);
    expect(run?.runId).toBe(body.id);
    const ids = Array.from({ length: chunks }, () => [newId()]);
    const plan = { pooled: '{}', lastMonth: 24_321, incompleteMonth: null, missingDays: [], chunks: ids, unknown: [] };
    expect(await service.database.transaction((tx) => storePlan(tx, run!, plan))).toBe(true);
    return body.id;
  }

  const leaseChunk = () => leaseNextChunk(service.database, randomUUID(), 60_000);
  /** What earlier tests left behind must not be taken by the next. */
  afterEach(() => service.database.execute('DELETE FROM runs'));

  it('is held by one worker at a time, and taken over when it expires', async () => {
    const runId = await plannedRun(1);
    const takers = await Promise.all(Array.from({ length: 20 }, () => leaseChunk()));
    expect(takers.filter((taken) => taken !== undefined)).toHaveLength(1);
    await expire(runId);
    expect(await leaseChunk()).toMatchObject({ lease: { epoch: 2 } });
  });

  it.each(['runs', 'run_chunks'])(
    'cannot be renewed, ended or committed by a worker that lost it, even to itself, or ended it (%s)',
    async (table) => {
      const { database } = service;
      const runId = await plannedRun(1);
      if (table === 'runs') await database.execute('UPDATE runs SET chunks_total = NULL');
      const owner = randomUUID();
      const lease = async () => {
        await database.execute(
          `UPDATE ${table} SET wake_at = clock_timestamp(), lease_expires_at = clock_timestamp() - interval '1 millisecond'`,
        );
        if (table === 'run_chunks') return (await leaseNextChunk(database, owner, 60_000))!;
        return (await leaseNextRun(database, owner, 60_000))!;
      };
      type Held = Awaited<ReturnType<typeof lease>>;
      const renew = (held: Held) => renewLease(database, held, 60_000);
      const commit = (held: Held) =>
        database.transaction(async (tx) => {
          if (held.position !== null) return (await completeChunk(tx, held, RESULT)) !== undefined;
          return storePlan(tx, held, {
            pooled: '{}',
            lastMonth: 24_321,
            incompleteMonth: null,
            missingDays: [],
            chunks: [],
            unknown: [],
          });
        });
      const attempts = async (held: Held) => [
        await renew(held),
        await commit(held),
        await recordFailure(database, held, 0),
      ];

      const lost = await lease();
      const held = await lease();
      expect([lost.runId, held.runId, held.lease.owner]).toEqual([runId, runId, lost.lease.owner]);
      const stranger = { ...held, lease: { ...held.lease, owner: randomUUID() } };
      for (const other of [lost, stranger]) expect(await attempts(other)).toEqual([false, false, 0]);
      expect([await renew(held), await recordFailure(database, held, 0)]).toEqual([true, 1]);
      expect(await attempts(held)).toEqual([false, false, 0]);
    },
  );

  it('rejects the commit of a worker that was frozen and replaced', async () => {
    const runId = await plannedRun(2);
    const zombie = await leaseChunk();
    await expire(runId);
    const heir = await leaseChunk();
    const commit = (taken: typeof zombie) => service.database.transaction((tx) => completeChunk(tx, taken!, RESULT));
    expect(await commit(zombie)).toBeUndefined();
    expect(await commit(heir)).toEqual({ last: false });
    expect(await commit(heir)).toBeUndefined();
    const [run] = await service.database.query<{ chunks_done: number }>('SELECT chunks_done FROM runs WHERE id = $1', [
      runId,
    ]);
    expect(run).toEqual({ chunks_done: 1 });
  });

  it('cannot be taken on finished work', async () => {
    const runId = await plannedRun(1);
    await service.database.execute('UPDATE runs SET wake_at = clock_timestamp()');
    expect(await leaseNextRun(service.database, randomUUID(), 60_000)).toBeUndefined();
    const chunk = await leaseChunk();
    await service.database.transaction((tx) => completeChunk(tx, chunk!, RESULT));
    await expire(runId);
    expect(await leaseChunk()).toBeUndefined();
  });

  it('makes exactly one of many concurrent commits the last', async () => {
    await plannedRun(12);
    const leases = await Promise.all(Array.from({ length: 12 }, () => leaseChunk()));
    const commits = await Promise.all(
      leases.map((taken) => service.database.transaction((tx) => completeChunk(tx, taken!, RESULT))),
    );
    expect(commits.filter((commit) => commit?.last === true)).toHaveLength(1);
  });

  it('locks the run before its chunk, as a cancellation does: the other way round both would wait for each other', async () => {
    const runId = await plannedRun(1);
    const taken = await leaseChunk();
    await using run = await holdRows(service.database, 'SELECT id FROM runs WHERE id = $1 FOR UPDATE', [runId]);
    const committed = service.database.transaction((tx) => completeChunk(tx, taken!, RESULT));
    await run.untilAwaitedBy(1);
    const free = 'SELECT FROM run_chunks WHERE run_id = $1 FOR UPDATE SKIP LOCKED';
    expect(await service.database.query(free, [runId])).toHaveLength(1);
    await run.release();
    expect(await committed).toEqual({ last: true });
  });

  it('merges the counts of all skipped series, and as many of their names as are reported', async () => {
    const runId = await plannedRun(4);
    const series = Array.from({ length: 100 }, (_, at) => ({ id: String(at), reason: 'no_observations', detail: '' }));
    const summary = summarizeChunk(
      series.map((skipped) => ({ kind: 'skipped', ...skipped }) as SeriesResult),
      new Map(),
      { month: null, day: null },
    );
    await service.database.execute('UPDATE run_chunks SET summary = $1', [JSON.stringify(summary)]);
    const summaries = await readChunkSummaries(service.database, runId, 150);
    expect(summaries.map(({ skipped }) => [skipped.total, skipped.first.length])).toEqual([
      [100, 100],
      [100, 100],
      [100, 0],
      [100, 0],
    ]);
  });

  it('gives each chunk to one worker, and none before a failed one may be retried', async () => {
    const runId = await plannedRun(6);
    const taken = (await Promise.all(Array.from({ length: 20 }, leaseChunk))).filter((chunk) => chunk !== undefined);
    expect(taken.map((chunk) => chunk.position).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    const failed = taken.find((chunk) => chunk.position === 3)!;
    await recordFailure(service.database, failed, 60_000);
    expect(await leaseChunk()).toBeUndefined();
    await expire(runId);
    expect(await leaseChunk()).toMatchObject({ position: 0 });
  });

  it('delays nobody for an hour when the clock is set back by one', async () => {
    /** Leaves the times of what waits or is held where they were, ahead of the clock. */
    const setBack = (table: string, minutes = 60): Promise<number> =>
      service.database.execute(
        `UPDATE ${table} SET wake_at = wake_at + make_interval(mins => $1),
           lease_expires_at = lease_expires_at + make_interval(mins => $1)`,
        [minutes],
      );
    const { api } = await tenantWithDemand(service, demandCsv(1, 24));
    const { body } = await api.post<{ id: string }>('/runs', {});
    await setBack('runs', 1);
    expect(await leaseNextRun(service.database, randomUUID(), 5_000)).toMatchObject({ runId: body.id });
    await setBack('runs');
    expect(await leaseNextRun(service.database, randomUUID(), 5_000)).toMatchObject({ lease: { epoch: 2 } });
    await service.database.execute('DELETE FROM runs');
    await plannedRun(1);
    await setBack('run_chunks', 1);
    expect(await leaseChunk()).toMatchObject({ lease: { epoch: 1 } });
    await setBack('run_chunks');
    expect(await leaseChunk()).toMatchObject({ lease: { epoch: 2 } });
  });

  it('lets work finish although two delayed workers keep taking it from each other', async () => {
    const LEASE_MS = 150_000;
    const HELD_UP_MS = 3 * LEASE_MS;
    /** Both workers are held up: the leases on the work run on, and are not renewed. */
    const holdUp = (table: string): Promise<number> =>
      service.database.execute(
        `UPDATE ${table} SET lease_expires_at = lease_expires_at - $1 * interval '1 millisecond',
           wake_at = wake_at - $1 * interval '1 millisecond'`,
        [HELD_UP_MS],
      );
    const workers = [randomUUID(), randomUUID()];
    /** How often the work changes hands before its holder comes to renew its lease in time. */
    const takeovers = async <Held>(
      table: string,
      lease: (owner: string) => Promise<Held | undefined>,
      renew: (held: Held) => Promise<boolean>,
    ): Promise<number> => {
      let held = await lease(workers[0]!);
      for (let taken = 0; taken < 50; taken += 1) {
        await holdUp(table);
        const heir = await lease(workers[(taken + 1) % 2]!);
        if (!heir) {
          expect(await renew(held!)).toBe(true);
          await holdUp(table);
          expect(await lease(workers[0]!)).toBeUndefined();
          return taken;
        }
        held = heir;
      }
      return Infinity;
    };
    const { api } = await tenantWithDemand(service, demandCsv(1, 24));
    await api.post('/runs', {});
    const ofRuns = await takeovers(
      'runs',
      (owner) => leaseNextRun(service.database, owner, LEASE_MS),
      (held) => renewLease(service.database, held, LEASE_MS),
    );
    await service.database.execute('DELETE FROM runs');
    await plannedRun(1);
    const ofChunks = await takeovers(
      'run_chunks',
      (owner) => leaseNextChunk(service.database, owner, LEASE_MS),
      (held) => renewLease(service.database, held, LEASE_MS),
    );
    expect([ofRuns, ofChunks]).toEqual([3, 3]);
  });

  it('lasts as long as requested', async () => {
    await plannedRun(1);
    await leaseNextChunk(service.database, randomUUID(), 600_000);
    expect(await leaseChunk()).toBeUndefined();
  });

  it('lets a small run proceed between the chunks of an earlier large one', async () => {
    const large = await plannedRun(50);
    const small = await plannedRun(2);
    const taken = [await leaseChunk(), await leaseChunk(), await leaseChunk(), await leaseChunk()];
    expect(taken.map((chunk) => [chunk!.runId, chunk!.position])).toEqual([
      [large, 0],
      [small, 0],
      [large, 1],
      [small, 1],
    ]);
  });

  it('gives a large run every other turn, however many small ones follow', async () => {
    const large = await plannedRun(50);
    for (let turn = 0; turn < 4; turn += 1) {
      const small = await plannedRun(1);
      const taken = [await leaseChunk(), await leaseChunk()];
      expect(taken.map((chunk) => [chunk!.runId, chunk!.position])).toEqual([
        [large, turn],
        [small, 0],
      ]);
      await service.database.execute('UPDATE run_chunks SET done = true WHERE lease_owner IS NOT NULL');
    }
  });

  it('alternates runs that have fallen behind the clock all the same', async () => {
    const large = await plannedRun(50);
    await service.database.execute(`UPDATE run_chunks SET turn_at = turn_at - interval '1 hour'`);
    const small = await plannedRun(1);
    expect([(await leaseChunk())!.runId, (await leaseChunk())!.runId]).toEqual([large, small]);
  });
});

describe('a worker in a process that also answers requests', () => {
  let database: TestDatabase;
  let front: TestService;
  beforeAll(async () => {
    database = await createTestDatabase();
    front = await startTestService({ role: 'api', database });
  });
  afterAll(async () => {
    await front.close();
    await database.drop();
  });

  /** Lets pauses end now, as time would. */
  const hurry = () => front.database.execute('UPDATE run_chunks SET wake_at = clock_timestamp() WHERE NOT done');

  it('finishes some of many runs before it has started all', async () => {
    const { tenant, api } = await tenantWithDemand(front, demandCsv(1, 24));
    const started = await Promise.all(
      Array.from({ length: 12 }, () => api.post<{ id: string }>('/runs', { config_overrides: { horizon: 1 } })),
    );
    const worker = await startTestService({ role: 'worker', database });
    try {
      for (const { body } of started) await api.ended(body.id);
    } finally {
      await worker.close();
    }
    const [times] = await front.database.query<{ first_end: Date; last_begin: Date }>(
      'SELECT min(finished_at) AS first_end, max(started_at) AS last_begin FROM runs WHERE organization_id = $1',
      [tenant.organizationId],
    );
    expect(times!.first_end.getTime()).toBeLessThan(times!.last_begin.getTime());
  });

  it('continues with other runs while a workspace is being deleted, and with its own if it stays', async () => {
    const doomed = await tenantWithDemand(front, demandCsv(1, 24));
    const other = await tenantWithDemand(front, demandCsv(1, 24));
    const start = async ({ api }: typeof other) => (await api.post<{ id: string }>('/runs', {})).body.id;
    const early = [await start(doomed), await start(doomed)]; // as many as the worker does at a time
    const late = await start(other);
    const deletion = 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE';
    await using held = await holdRows(front.database, deletion, [doomed.tenant.workspaceId]);
    const worker = await startTestService({ role: 'worker', database, environment: { WORKER_THREADS: '1' } });
    try {
      expect(await other.api.ended(late)).toMatchObject({ status: 'completed' });
      await held.release();
      for (const id of early) expect(await doomed.api.ended(id)).toMatchObject({ status: 'completed' });
    } finally {
      await held.release();
      await worker.close();
    }
  });

  it('completes a run during which the clock is set back, with a duration of at least zero', async () => {
    const { api } = await tenantWithDemand(front, demandCsv(1, 24));
    const { body } = await api.post<{ id: string }>('/runs', {});
    await front.database.execute(`UPDATE runs SET started_at = now() + interval '1 hour' WHERE id = $1`, [body.id]);
    const worker = await startTestService({ role: 'worker', database });
    try {
      expect(await api.ended(body.id)).toMatchObject({ status: 'completed', metrics: { duration_seconds: 0 } });
      const sum = await eventually('its duration', async () => {
        const scraped = new Scrape(await worker.app.get(Metrics).text());
        const counted = scraped.value('forecasting_run_duration_seconds_count', { outcome: 'completed' }) === 1;
        return counted ? scraped.value('forecasting_run_duration_seconds_sum') : undefined;
      });
      expect(sum).toBe(0);
    } finally {
      await worker.close();
    }
  });

  it.each(['poolWorkspace', 'fit'] as const)(
    'keeps the current chunk when it could not renew its lease in time (%s)',
    async (step) => {
      const { api } = await tenantWithDemand(front, demandCsv(1, 24));
      const worker = await startTestService({ role: 'worker', database, environment: { RUN_LEASE_MS: '600000' } });
      try {
        const engine = worker.app.get(EngineThreads);
        const real = engine[step].bind(engine) as (task: unknown) => Promise<never>;
        const held = Promise.withResolvers<void>();
        const computing = jest.spyOn(engine, step).mockImplementationOnce(async (task) => {
          await held.promise;
          return real(task);
        });
        const { body } = await api.post<{ id: string }>('/runs', {}); // not sooner: the worker would begin unwatched
        await eventually('the chunk is processed', () => Promise.resolve(computing.mock.calls.length > 0 || undefined));
        for (const [table, id] of Object.entries({ runs: 'id', run_chunks: 'run_id' }))
          await front.database.execute(
            `UPDATE ${table} SET lease_expires_at = clock_timestamp() - interval '1 millisecond', wake_at = clock_timestamp()
              WHERE ${id} = $1 AND lease_owner IS NOT NULL`,
            [body.id],
          );
        await worker.app.get(PieceRunner).work(); // another slot takes what is free
        held.resolve();
        expect(await api.ended(body.id)).toMatchObject({ status: 'completed' });
        expect(computing).toHaveBeenCalledTimes(1);
      } finally {
        await worker.close();
      }
    },
  );

  it('fails a run whose computation does not end, and reports it', async () => {
    const { api } = await tenantWithDemand(front, demandCsv(1, 24));
    const worker = await startTestService({ role: 'worker', database });
    try {
      const ended = jest.spyOn(worker.app.get(EngineThreads), 'fit').mockRejectedValue(new OverlongTask('was ended'));
      const { body } = await api.post<{ id: string }>('/runs', {});
      expect(await api.ended(body.id)).toMatchObject({
        status: 'failed',
        error: { code: 'computation_failed', message: expect.stringContaining('took too long') },
        billed: null,
      });
      expect(ended).toHaveBeenCalledTimes(5);
    } finally {
      await worker.close();
    }
  });

  it('continues a run however often the database drops the connection', async () => {
    const { api } = await tenantWithDemand(front, demandCsv(1, 24));
    const worker = await startTestService({ role: 'worker', database });
    try {
      const engine = worker.app.get(EngineThreads);
      const real = engine.fit.bind(engine);
      const fault = 'terminating connection due to idle-in-transaction timeout';
      const computing = jest.spyOn(engine, 'fit').mockImplementation((task) => {
        if (computing.mock.calls.length > 6) return real(task);
        return Promise.reject(Object.assign(new Error(fault), { code: '25P03' }));
      });
      const { body } = await api.post<{ id: string }>('/runs', {});
      const status = await eventually('it ends', async () => {
        await hurry();
        const { body: run } = await api.get<{ status: string }>(`/runs/${body.id}`);
        return run.status === 'running' || run.status === 'queued' ? undefined : run.status;
      });
      expect(status).toBe('completed');
    } finally {
      await worker.close();
    }
  });

  it('continues a run when there is room to store it, however often there was none', async () => {
    const { api } = await tenantWithDemand(front, demandCsv(3, 24));
    const disk = await fillDisk(front.database, 'forecasts');
    const worker = await startTestService({ role: 'worker', database });
    try {
      const { body } = await api.post<{ id: string }>('/runs', {});
      await eventually('there is no room for it a sixth time, or it has ended', async () => {
        await hurry();
        const { body: run } = await api.get<{ status: string }>(`/runs/${body.id}`);
        return run.status === 'failed' || (await disk.refusals()) > 5 ? true : undefined;
      });
      expect(await front.database.query('SELECT status FROM runs WHERE id = $1', [body.id])).toEqual([
        { status: 'running' },
      ]);
      await disk.makeRoom();
      await eventually('it ends', async () => {
        await hurry();
        const { body: run } = await api.get<{ status: string }>(`/runs/${body.id}`);
        return run.status === 'completed' ? true : undefined;
      });
    } finally {
      await worker.close();
    }
  });

  it('returns a chunk midway without a failed attempt, long before its lease would expire', async () => {
    const { api } = await tenantWithDemand(front, demandCsv(20, 60));
    const leaving = await startTestService({ role: 'worker', database, environment: { RUN_LEASE_MS: '600000' } });
    let id: string;
    try {
      const engine = leaving.app.get(EngineThreads);
      const real = engine.fit.bind(engine);
      const begun = Promise.withResolvers<void>();
      jest.spyOn(engine, 'fit').mockImplementation((task) => {
        begun.resolve();
        return real(task);
      });
      ({ id } = (await api.post<{ id: string }>('/runs', {})).body);
      await begun.promise;
      await leaving.app.get(PieceRunner).stop(0);
      // of the run and of its chunks
      const [held] = await front.database.query(
        `SELECT count(lease_owner)::int AS leases, sum(failures)::int AS failures, bool_and(done) AS done
           FROM (SELECT lease_owner, failures, NULL AS done FROM runs WHERE id = $1
                 UNION ALL SELECT lease_owner, failures, done FROM run_chunks WHERE run_id = $1) AS pieces`,
        [id],
      );
      expect(held).toEqual({ leases: 0, failures: 0, done: false });
    } finally {
      await leaving.close();
    }

    const heir = await startTestService({ role: 'worker', database });
    try {
      expect(await api.ended(id)).toMatchObject({ status: 'completed', progress: { series_done: 20 } });
    } finally {
      await heir.close();
    }
  });
});
