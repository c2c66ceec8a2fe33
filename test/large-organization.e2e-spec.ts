import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type AuditFilter, listEvents } from '../src/access/audit/audit.queries.js';
import { listAlerts } from '../src/alerts/alerts.queries.js';
import { readOrganizationFacts } from '../src/compliance/readiness/readiness.queries.js';
import { newId } from '../src/platform/ids.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { plansOf } from './support/plans.js';

/** By which index the database finds few rows among the many of an organization. */
describe('in an organization with much in it', () => {
  const [organizationId, workspaceId, seriesId, busy, rare] = [newId(), newId(), newId(), newId(), newId()];
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'Acme', 'growth', now())`, [
      organizationId,
    ]);
    await client.query(
      `INSERT INTO workspaces (id, organization_id, name, created_at) VALUES ($2, $1, 'Shop', now())`,
      [organizationId, workspaceId],
    );
    await client.query(
      `INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at) VALUES ($3, $1, $2, 'A', now(), now())`,
      [organizationId, workspaceId, seriesId],
    );
    // unread are the oldest
    await client.query(
      `INSERT INTO alerts (id, organization_id, workspace_id, series_id, kind, severity, message, change_percent, period, run_id, created_at, read_at)
       SELECT gen_random_uuid(), $1, $2, $3, 'spike', 'high', 'A month stands out', 40, date '1800-01-01' + at, gen_random_uuid(),
              now() - make_interval(mins => at), CASE WHEN at <= 4990 THEN now() END
         FROM generate_series(1, 5000) AS at`,
      [organizationId, workspaceId, seriesId],
    );
    await client.query(
      `INSERT INTO audit_events (organization_id, sequence, id, occurred_at, actor_kind, actor_id, actor_name, action, target_kind, target_id, details, previous_hash, hash)
       SELECT $1, at, gen_random_uuid(), now() - make_interval(hours => 20001 - at), 'user',
              CASE WHEN at % 5000 = 7 THEN $3::uuid ELSE $2::uuid END, 'x@example.com', 'run.started', 'run', 'x', '{}', '', ''
         FROM generate_series(1, 20000) AS at`,
      [organizationId, busy, rare],
    );
    await client.query('VACUUM ANALYZE');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['the organization', null, /using alerts_unread on/],
    ['a workspace', workspaceId, /using alerts_unread_workspace on/],
  ])('unread alerts of %s are found without reading those that were read', async (_, workspace, index) => {
    const filter = { unreadOnly: true, createdAfter: new Date('2000-01-01T00:00:00Z'), limit: 51 };
    expect(await plansOf(client, (db) => listAlerts(db, { organizationId, workspaceId: workspace }, filter))).toMatch(
      index,
    );
  });

  const events = (filter: Partial<AuditFilter>): Promise<string> => {
    const any = { action: undefined, actorId: undefined, from: undefined, to: undefined, limit: 51 };
    return plansOf(client, (db) => listEvents(db, organizationId, { ...any, ...filter }));
  };
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

  it("an actor's events are found without reading those of others", async () => {
    expect(await events({ actorId: rare })).toMatch(/using audit_events_actor/);
  });

  it('events of a day long ago are found without reading those since', async () => {
    expect(await events({ from: daysAgo(701), to: daysAgo(700) })).toMatch(/audit_events_time/);
  });

  it('the checklist reads the events of its days only', async () => {
    const plans = await plansOf(client, (db) => readOrganizationFacts(db, organizationId, daysAgo(30)));
    expect(plans.match(/audit_events_time/g)).toHaveLength(2);
    expect(plans).not.toContain('Seq Scan on audit_events');
  });
});
