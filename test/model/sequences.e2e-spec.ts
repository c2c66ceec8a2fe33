import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { compare } from './at-rest/compare.js';
import { readAll } from './at-rest/returned.js';
import { organizationOf } from './model.js';
import { Refuted } from './operation.js';
import { MAKERS } from './operations/index.js';
import { setStage } from './stage.js';
import { type Beliefs, type Stage, Step } from './step.js';

/** `npm run test:fuzz` runs many more, of a new seed each time. */
const SEQUENCES = Number(process.env['FUZZ_SEQUENCES'] ?? 2);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const MAX_CALLS = 40;

const kind = fc.constantFrom(...Object.keys(MAKERS));
const kinds = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(kind) },
  { weight: 1, arbitrary: kind.map((same) => [same, same]) },
  { weight: 1, arbitrary: fc.array(kind, { minLength: 2, maxLength: 3 }) },
);
const rolls = fc.array(fc.nat({ max: 5_039 }), { minLength: 12, maxLength: 12 });
const sequence = fc.commands([fc.tuple(kinds, rolls).map((drawn) => new Step(...drawn))], {
  maxCommands: MAX_CALLS,
  size: 'max',
});

describe('concurrent calls of several people', () => {
  let database: TestDatabase;
  let services: [TestService, TestService];
  beforeAll(async () => {
    database = await createTestDatabase();
    const fitting = await startTestService({ database, environment: { WORKER_THREADS: '1' } });
    services = [fitting, await startTestService({ database, role: 'api' })];
  });
  afterAll(async () => {
    for (const service of services) await service.close();
    await database.drop();
  });

  /** When all is at rest, one of the states that the replies have left possible is that of the service. */
  async function settle({ possible }: Beliefs, { world }: Stage): Promise<void> {
    const returned = new Map<string, Awaited<ReturnType<typeof readAll>>>();
    for (const { id } of possible[0]!.organizations) returned.set(id, await readAll(services[0], world, id));
    const why = possible.map((model) => {
      try {
        for (const [id, all] of returned) compare(model, organizationOf(model, id), all);
        return undefined;
      } catch (error) {
        if (error instanceof Refuted) return error.message;
        throw error;
      }
    });
    if (!why.includes(undefined)) expect(why).toContain(undefined);
  }

  it(
    `in ${SEQUENCES} sequences are answered as if serial, and store what they reported`,
    async () => {
      let count = 0;
      await fc.assert(
        fc.asyncProperty(sequence, async (steps) => {
          const { model, stage } = await setStage(services, String(count++));
          const beliefs: Beliefs = { possible: [model] };
          await fc.asyncModelRun(() => ({ model: beliefs, real: stage }), steps);
          await settle(beliefs, stage);
        }),
        // what calls at once give is not the same again: smaller sequences tell nothing of a larger one that failed
        { seed: SEED, numRuns: SEQUENCES, endOnFailure: true },
      );
    },
    600_000 + SEQUENCES * 60_000,
  );
});
