import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WakeUpProcessor } from '../../src/runs/wake-ups/wake-up-processor.js';
import { Api, demandCsv } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { stopIntervals } from '../support/time/stopped-intervals.js';
import { startTestService, type TestService } from '../support/test-service.js';

const CHEAP = { config_overrides: { models: ['seasonal_naive'], backtest_windows: 0 } };

describe('wake-ups', () => {
  let database: TestDatabase;
  let front: TestService;
  let api: Api;

  beforeAll(async () => {
    database = await createTestDatabase();
    front = await startTestService({ role: 'api', database });
    ({ api } = await tenantWithDemand(front, demandCsv(250, 24)));
  });
  afterAll(async () => {
    await front.close();
    await database.drop();
  });

  const startWorker = (): Promise<TestService> => startTestService({ role: 'worker', database });

  const count = async (sql: string): Promise<number> => (await front.database.query<{ count: number }>(sql))[0]!.count;

  /** Wake-ups enqueued since the queue was made; BullMQ keeps the last ten thousand events. */
  const enqueued = (): Promise<number> =>
    count(`SELECT count(*)::int AS count FROM bullmq.event WHERE queue = 'runs' AND event = 'added'`);

  it('reach a worker without polling', async () => {
    const worker = await startWorker();
    try {
      await stopIntervals(worker);
      worker.app.get(WakeUpProcessor).worker.opts.drainDelay = 3_600; // seconds: the queue itself looks that seldom
      for (let run = 0; run < 2; run += 1) expect(await api.run(CHEAP)).toMatchObject({ status: 'completed' });
    } finally {
      await worker.close();
    }
  });

  it('are sent once for the start and once for each chunk of a small run', async () => {
    const before = await enqueued();
    const worker = await startWorker();
    try {
      await api.run(CHEAP);
    } finally {
      await worker.close();
    }
    expect((await enqueued()) - before).toBe(1 + 3); // 250 series are three chunks
  });

  it('create no table in the database', async () => {
    const worker = await startWorker();
    try {
      await front.database.execute(`CREATE TABLE noted (command text)`);
      await front.database.execute(
        `CREATE FUNCTION note_command() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS
         $$ BEGIN INSERT INTO public.noted VALUES (tg_tag); END $$`,
      );
      await front.database.execute(
        `CREATE EVENT TRIGGER note_command ON ddl_command_end EXECUTE FUNCTION note_command()`,
      );
      await api.run(CHEAP);
    } finally {
      await front.database.execute('DROP EVENT TRIGGER IF EXISTS note_command');
      await worker.close();
    }
    expect(await front.database.query('SELECT command FROM noted')).toEqual([]);
  });

  it('are at most sixteen for the chunks of a run, all of which are processed', async () => {
    const { api: reader } = await tenantWithDemand(front, demandCsv(1_701, 6));
    const before = await enqueued();
    const worker = await startWorker();
    try {
      const ended = await reader.run(CHEAP);
      expect(ended).toMatchObject({ status: 'completed', progress: { series_done: 1_701 } });
    } finally {
      await worker.close();
    }
    expect((await enqueued()) - before).toBe(1 + 16); // one for the start; 1,701 series are eighteen chunks
  });

  it('are retried about once a second while the queue refuses them, and accepted once it recovers', async () => {
    const worker = await startWorker();
    let refusals = 0;
    worker.app.get(WakeUpProcessor).worker.on('error', () => (refusals += 1));
    const rename = (from: string, to: string) => front.database.execute(`ALTER ROUTINE bullmq.${from} RENAME TO ${to}`);
    try {
      await rename('move_to_active', 'move_to_nowhere');
      try {
        const begun = performance.now();
        await api.run(CHEAP); // the worker looks for itself
        await eventually('the queue has refused again', () => Promise.resolve(refusals >= 4 || undefined));
        const seconds = (performance.now() - begun) / 1_000;
        expect(refusals).toBeLessThan(15 * (1 + seconds)); // without a pause there are hundreds in each
      } finally {
        await rename('move_to_nowhere', 'move_to_active'); // the tests after this one need it
      }
      await eventually(
        'all are accepted',
        async () => (await count('SELECT count(*)::int AS count FROM bullmq.job')) === 0 || undefined,
      );
    } finally {
      await worker.close();
    }
  });

  it('may all be lost: the work is found anyway', async () => {
    const { body } = await api.post<{ id: string }>('/runs', CHEAP);
    await front.database.execute('DELETE FROM bullmq.job');
    const worker = await startWorker();
    try {
      expect(await api.ended(body.id)).toMatchObject({ status: 'completed' });
    } finally {
      await worker.close();
    }
  });
});
