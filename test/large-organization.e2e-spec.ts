import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditFilter, listEvents } from '../src/access/audit/audit.queries.js';
import { listAlerts } from '../src/alerts/alerts.queries.js';
import { readOrganizationFacts } from '../src/compliance/readiness/readiness.queries.js';
import { newId } from '../src/platform/ids.js';
import { EXPIRING } from '../src/retention/kinds.js';
import { deleteDue } from '../src/retention/retention.queries.js';
import { planningDatabase } from './support/query-plans.js';

/** By which index the database finds few rows among the many of an organization. */
describe('in a large organization', () => {
  const [organizationId, workspaceId, seriesId, busy, rare] = [newId(), newId(), newId(), newId(), newId()];
  const database = planningDatabase();
  beforeAll(async () => {
    await database.addOrganization(organizationId, [workspaceId]);
    await database.execute(
      `INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at) VALUES ($3, $1, $2, 'A', now(), now())`,
      [organizationId, workspaceId, seriesId],
    );
    // unread are the oldest
    await database.execute(
      `INSERT INTO alerts (id, organization_id, workspace_id, series_id, kind, severity, message, change_percent, period, run_id, created_at, read_at)
       SELECT gen_random_uuid(), $1, $2, $3, 'spike', 'high', 'A month stands out', 40, date '1800-01-01' + at, gen_random_uuid(),
              now() - make_interval(mins => at), CASE WHEN at <= 4990 THEN now() END
         FROM generate_series(1, 5000) AS at`,
      [organizationId, workspaceId, seriesId],
    );
    await database.execute(
      `INSERT INTO audit_events (organization_id, sequence, id, occurred_at, actor_kind, actor_id, actor_name, action, target_kind, target_id, details, previous_hash, hash)
       SELECT $1, at, gen_random_uuid(), now() - make_interval(hours => 20001 - at), 'user',
              CASE WHEN at % 5000 = 7 THEN $3::uuid ELSE $2::uuid END, 'x@example.com', 'run.started', 'run', 'x', '{}', '', ''
         FROM generate_series(1, 20000) AS at`,
      [organizationId, busy, rare],
    );
    await database.execute('VACUUM ANALYZE');
  });

  it.each([
    ['the organization', null, /using alerts_unread on/],
    ['a workspace', workspaceId, /using alerts_unread_workspace on/],
  ])('unread alerts of %s are found without scanning read ones', async (_, workspace, index) => {
    const filter = { unreadOnly: true, createdAfter: new Date('2000-01-01T00:00:00Z'), limit: 51 };
    expect(await database.plansOf((db) => listAlerts(db, { organizationId, workspaceId: workspace }, filter))).toMatch(
      index,
    );
  });

  const events = (filter: Partial<AuditFilter>): Promise<string> => {
    const any = {
      action: undefined,
      actorId: undefined,
      targetId: undefined,
      from: undefined,
      to: undefined,
      limit: 51,
    };
    return database.plansOf((db) => listEvents(db, organizationId, { ...any, ...filter }));
  };
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

  it("an actor's events are found without scanning those of others", async () => {
    expect(await events({ actorId: rare })).toMatch(/using audit_events_actor/);
  });

  it('events on one resource are found without scanning those on others', async () => {
    expect(await events({ targetId: rare })).toMatch(/using audit_events_target/);
  });

  it('events of a past day are found without scanning later ones', async () => {
    expect(await events({ from: daysAgo(701), to: daysAgo(700) })).toMatch(/audit_events_time/);
  });

  it('the checklist reads only the events of its days', async () => {
    const plans = await database.plansOf((db) => readOrganizationFacts(db, organizationId, daysAgo(30)));
    expect(plans.match(/audit_events_time/g)).toHaveLength(2);
    expect(plans).not.toContain('Seq Scan on audit_events');
  });

  it('a batch of due rows is found by id, without scanning all remaining ones', async () => {
    const alerts = EXPIRING.find(({ table }) => table === 'alerts')!;
    const plans = await database.plansOf((tx) => deleteDue(tx, organizationId, alerts, daysAgo(30)));
    expect(plans).toMatch(/Index Cond: \(id = ANY/);
  });
});
