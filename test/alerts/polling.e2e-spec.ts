import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { publicationTime, readPublished } from '../../src/platform/database/publication.js';
import { demandCsv } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { untilLockAwaited } from '../support/held-rows.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

/** A poller asks for what came after the moment it sent its last question. It must get everything, whatever commits meanwhile. */
describe('polling', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('delivers every run that finishes meanwhile, none twice by its id', async () => {
    const { api } = await tenantWithDemand(service, demandCsv(1, 24));
    const started = new Set<string>();
    let working = true;
    const starting = (async () => {
      for (let round = 0; round < 40; round += 1) {
        const { body } = await api.post<{ id: string }>('/runs', {
          config_overrides: { horizon: 1, models: ['seasonal_naive'] },
        });
        started.add(body.id);
        if (round % 7 === 3) await api.post(`/runs/${body.id}/cancel`, {});
      }
      for (const id of started) await api.ended(id);
      working = false;
    })();
    const seen = new Set<string>();
    let since = '2000-01-01';
    for (let last = false; !last;) {
      last = !working;
      const asked = new Date().toISOString();
      const { body } = await api.get<{ id: string; finished_at: string }[]>(`/runs?since=${since}&limit=500`);
      for (const run of body) seen.add(run.id);
      since = asked;
      await sleep(5);
    }
    await starting;
    expect(seen).toEqual(started);
  });

  it('waits for a slow writer that has not committed', async () => {
    const { organizationId } = await createTenant(service);
    const { database } = service;
    await database.execute('CREATE TABLE late (id int)');
    const dated = Promise.withResolvers<void>();
    const isAwaited = Promise.withResolvers<void>();
    const writing = database.transaction(async (tx) => {
      await publicationTime(tx, organizationId);
      await tx.execute('INSERT INTO late VALUES (1)');
      dated.resolve();
      await isAwaited.promise;
    });
    await dated.promise;
    // a poller that does not wait misses it, and would ask only for later items next time
    expect(await database.query('SELECT id FROM late')).toEqual([]);
    const read = readPublished(database, organizationId, (db) => db.query('SELECT id FROM late'));
    await untilLockAwaited(database, 1);
    isAwaited.resolve();
    expect(await read).toEqual([{ id: 1 }]);
    await writing;
  });

  it('shows everything dated before the request, even if the writer commits late', async () => {
    const { organizationId, workspaceId } = await createTenant(service);
    const { database } = service;
    await database.execute('CREATE TABLE IF NOT EXISTS published (id int, at timestamptz)');
    const insert = (id: number, hold: number): Promise<void> =>
      database.transaction(async (tx) => {
        const at = await publicationTime(tx, organizationId);
        await tx.execute('INSERT INTO published VALUES ($1, $2)', [id, at]);
        await sleep(hold);
      });
    expect(workspaceId).not.toBe(organizationId);
    const writing = Promise.all(Array.from({ length: 40 }, (_, id) => insert(id, id % 5)));
    const seen: number[] = [];
    let watermark = new Date(0);
    for (let done = false, tail = false; !tail;) {
      tail = done;
      const rows = await readPublished(database, organizationId, (db) =>
        db.query<{ id: number; at: Date }>('SELECT id, at FROM published WHERE at > $1 ORDER BY at', [watermark]),
      );
      seen.push(...rows.map((row) => row.id));
      watermark = rows.at(-1)?.at ?? watermark;
      done = await Promise.race([writing.then(() => true), sleep(1, false)]);
    }
    // each once even for a poller that goes on from the newest time it has seen: no two commits share one
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, id) => id));
  });

  describe('polling after the clock was set back', () => {
    /** What is published next where the last publication lies ahead of the clock. */
    async function published(ahead: string): Promise<{ last: Date; next: Date }> {
      const { organizationId } = await createTenant(service);
      const publish = () => service.database.transaction((tx) => publicationTime(tx, organizationId));
      await publish();
      const [row] = await service.database.query<{ last: Date }>(
        `UPDATE publications SET published_at = published_at + $2::interval WHERE organization_id = $1
         RETURNING published_at AS last`,
        [organizationId, ahead],
      );
      return { ...row!, next: await publish() };
    }

    it('delivers new items to a poller that continues from the newest time it has seen', async () => {
      const { last, next } = await published('1 hour');
      expect(next.getTime()).toBe(last.getTime() + 1);
    });

    it('does not follow a clock that was plainly wrong', async () => {
      const { next } = await published('30 days');
      expect(Math.abs(next.getTime() - Date.now())).toBeLessThan(60_000);
    });
  });
});
