import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { buildOpenApi } from '../../src/start/openapi/openapi.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { Fuzzer } from './fuzzing/fuzzer.js';
import { requestsOf } from './fuzzing/requests.js';
import { type FuzzTenant, seedTenant } from './fuzzing/tenants.js';

/** `npm run test:fuzz` sends many more, of a new seed each time. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const BATCH = 500;

describe('requests generated from the OpenAPI document', () => {
  let database: TestDatabase;
  let service: TestService;
  let document: OpenAPIObject;
  let tenants: { tenant: FuzzTenant; runId: string }[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const fitting = await startTestService({ database });
    tenants = [await seedTenant(fitting, 'Zebra-7f3a', true), await seedTenant(fitting, 'Heron-19cc', false)];
    await fitting.close();
    service = await startTestService({ database, role: 'api' });
    // as the check of replies in the service does, but with what the caller sees
    document = JSON.parse(JSON.stringify(buildOpenApi(service.app))) as OpenAPIObject;
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it(
    `${REQUESTS} of them get no 5xx, no reply outside the contract and no data of another tenant`,
    async () => {
      const [own, other] = tenants.map(({ tenant }) => tenant);
      const seeds = tenants.flatMap(({ tenant, runId }) => [runId, tenant.organizationId, tenant.workspaceId]);
      const fuzzer = new Fuzzer(service, document, own!, other!, seeds);
      const arbitrary = requestsOf(document);
      for (let sent = 0; sent < REQUESTS; sent += BATCH) {
        const batch = fc.sample(arbitrary, { seed: SEED + sent, numRuns: Math.min(BATCH, REQUESTS - sent) });
        for (const request of batch) await fuzzer.send(request);
      }
      expect(fuzzer.report()).toEqual([]);
      // a fuzzer that is refused at the door tests nothing
      const succeeded =
        (fuzzer.statuses.get(200) ?? 0) + (fuzzer.statuses.get(201) ?? 0) + (fuzzer.statuses.get(202) ?? 0);
      expect(succeeded).toBeGreaterThan(REQUESTS / 20);
      expect(fuzzer.statuses.get(400)).toBeGreaterThan(REQUESTS / 20);
    },
    600_000 + REQUESTS * 60,
  );
});
