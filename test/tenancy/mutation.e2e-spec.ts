import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Connected, LOCAL_PLATFORMS } from '../connectors/connected.js';
import { dayOf } from '../connectors/past-months.js';
import { WooCommerceServer } from '../connectors/woocommerce-server.js';
import { demandCsv } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { evenly, leakBetween, MutationBench } from './mutants.js';
import { startTwoTenants, type TwoTenants } from './two-tenants.js';
import { textsNamingTenants, withoutTenant } from './predicates.js';
import { SqlTap } from './sql-tap.js';

/** What only the service itself sends, for an organization that it has found in its own tables. */
const OF_THE_SYSTEM: Readonly<Record<string, string>> = {
  'retention/': 'the retention job',
  'usage/metering/': 'the delivery of meter events, and the command line',
  'usage/usage.queries.ts refund': 'the end of a run that failed by our fault',
  'usage/usage.queries.ts listMonthlyRuns': 'the command line',
  'usage/usage.queries.ts take': 'a run, where e-mail is configured',
  'access/organizations/members/memberships.queries.ts listRecipients': 'what is sent by email, where it is configured',
  'access/organizations/members/memberships.queries.ts countAcceptedMembers':
    'an invitation that is taken up, whose token names it',
  'access/organizations/organizations.queries.ts set': 'operators and the command line',
  'access/organizations/organizations.queries.ts markDemoOrganization': 'the start of the service, of its own demo',
  'runs/schedule/schedule.queries.ts recordFiring': 'the scheduler',
  'runs/schedule/schedule.queries.ts findUnchangedRun': 'the scheduler',
  'runs/schedule/schedule.queries.ts advanceSchedule': 'the scheduler',
  'runs/schedule/schedule.queries.ts postpone': 'the scheduler',
  'alerts/alerts.queries.ts insertAlerts': 'the end of a run that has found a change',
  'alerts/alerts.queries.ts readReportedBefore': 'the same, of a series that has replaced another',
  'series/trends/trends.queries.ts insertTrendChanges': 'the end of a run that has found a change',
  'connectors/credentials/renewal.queries.ts saveSealed': 'tokens that were renewed',
  'connectors/credentials/renewal.queries.ts leaseRenewal': 'tokens that are renewed',
  'connectors/credentials/renewal.queries.ts releaseRenewal': 'tokens that were renewed',
  'connectors/orders/unseen-orders.queries.ts deleteUnseenLines': 'the end of a sync that has read everything again',
  'connectors/webhooks/deliveries.queries.ts hasFullQueue': 'a webhook, by the connector that it is signed for',
  'connectors/webhooks/deliveries.queries.ts deleteSurplusDeliveries': 'the processing of webhooks',
  'connectors/webhooks/deliveries.queries.ts insertDelivery': 'a webhook, by the connector that it is signed for',
  'series/imports/import-work.queries.ts failImport': 'an import that is refused after its body was stored',
  'series/imports/import-work.queries.ts noteProgress': 'an import whose body is being read',
  'series/imports/import-work.queries.ts returnAttempt': 'an import that the stop of the service interrupts',
  'series/imports/imports.queries.ts removeUnclosedImport': 'an upload that breaks off',
};

/**
 * Show nothing by themselves: the guard or a statement before them has looked their workspace up, or they take their tenant from the
 * connector or the run that was found. Or others would only compute the same again.
 */
const BEHIND_THE_GUARD = [
  'SELECT id FROM api_keys\n    WHERE workspace_id IN (SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2)',
  'SELECT time_zone FROM workspaces WHERE organization_id = $1 AND id = $2',
  'SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
  'UPDATE connectors AS known SET\n       next_sync_at = CASE WHEN before.changed',
  'INSERT INTO connector_syncs\n       (organization_id, workspace_id, connector_id, id,',
  'UPDATE series AS known SET (lead_time_months',
  'UPDATE workspaces SET stock_target_version = stock_target_version + 1',
  'SELECT series_id AS "seriesId" FROM successions WHERE',
  'WITH RECURSIVE later AS (\n       SELECT series_id, successor_id FROM successions',
];

/** Come after one that looks up their organization or member, and that fails where it finds those of two tenants. */
const BEHIND_A_LOOKUP = [
  'DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2',
  'UPDATE api_keys SET name = $3, ip_allowlist = $4',
  'UPDATE api_keys SET successor_id = $3, expires_at =',
  'UPDATE api_keys SET revoked_at = $3',
];

/** Statements that are changed one at a time, from all in equal parts; `npm run test:tenancy` changes each. */
const MAX_STATEMENTS = Number(process.env['TENANCY_STATEMENTS'] ?? 20);
/** Calls that each of them is tried with where policies back it: hundreds send those of the guards. */
const MAX_CALLS = Number(process.env['TENANCY_CALLS'] ?? 12);

describe('a statement that omits its tenant', () => {
  let tenants: TwoTenants;
  let bench: MutationBench;
  let statements: string[];
  beforeAll(async () => {
    tenants = await startTwoTenants();
    bench = new MutationBench(tenants);
    statements = await bench.statements();
  });
  afterAll(() => tenants.close());

  const switchPolicies = async (state: 'ENABLE' | 'DISABLE'): Promise<void> => {
    const { database } = tenants.service;
    const tables = await database.query<{ name: string }>(
      'SELECT DISTINCT polrelid::regclass::text AS name FROM pg_policy',
    );
    for (const { name } of tables) await database.execute(`ALTER TABLE ${name} ${state} ROW LEVEL SECURITY`);
    bench.forget();
  };
  const withoutPolicies = async <T>(work: () => Promise<T>): Promise<T> => {
    await switchPolicies('DISABLE');
    try {
      return await work();
    } finally {
      await switchPolicies('ENABLE');
    }
  };

  it('is reached by the calls of the suite, or by no request at all', () => {
    const sent = [...statements, ...tenants.sentBefore];
    const unreached = textsNamingTenants().filter(({ pattern }) => !sent.some((sql) => pattern.test(sql)));
    const declared = Object.keys(OF_THE_SYSTEM);
    const open = unreached.filter(({ place }) => !declared.some((start) => place.startsWith(start)));
    expect(open.map(({ place }) => place)).toEqual([]);
  });

  it('exposes nothing of another tenant, alone', async () => {
    const leaks: string[] = [];
    for (const sql of evenly(statements, MAX_STATEMENTS)) {
      const leak = await bench.leakOf(sql, MAX_CALLS);
      if (leak !== undefined) leaks.push(`${leak}: ${sql}`);
    }
    expect(leaks).toEqual([]);
  });

  it('exposes nothing of another tenant, together with all others', async () => {
    expect(await bench.leaksOfAll()).toEqual([]);
  });

  describe('where no policy backs it', () => {
    let backed: Awaited<ReturnType<MutationBench['outcomes']>>;
    beforeAll(async () => {
      backed = await bench.outcomes();
      await switchPolicies('DISABLE');
    });
    afterAll(() => switchPolicies('ENABLE'));

    it('is never sent: replies are the same as with policies', async () => {
      const open = await bench.outcomes();
      expect([...backed].flatMap(([probe, outcome]) => leakBetween(probe, outcome, open.get(probe)!) ?? [])).toEqual(
        [],
      );
    });

    it('is caught by the suite', async () => {
      const missed: string[] = [];
      for (const sql of evenly(statements, MAX_STATEMENTS)) {
        if ([...BEHIND_THE_GUARD, ...BEHIND_A_LOOKUP].some((start) => sql.startsWith(start))) continue;
        const shown = (await bench.leakOf(sql)) ?? (await bench.keptByLast(sql));
        if (shown === undefined) missed.push(sql);
      }
      expect(missed).toEqual([]);
    });

    it('is caught by most calls of the suite, together with all others', async () => {
      expect((await bench.leaksOfAll()).length).toBeGreaterThan(100);
    });
  });

  /** What work gives of a service that computes, when no statement names its tenant. */
  const withoutTenants = async <T>(work: (computing: TestService) => Promise<T>): Promise<T> => {
    const computing = await startTestService({ database: tenants.database, environment: LOCAL_PLATFORMS });
    new SqlTap(computing).rewrite = withoutTenant;
    try {
      return await work(computing);
    } finally {
      await computing.close();
    }
  };

  it('mixes tenants in a run only without the policies', async () => {
    /** Series that the run of a tenant with two forecasts. */
    const seriesOfRun = (): Promise<unknown> =>
      withoutTenants(async (computing) => {
        const { api } = await tenantWithDemand(computing, demandCsv(2, 24));
        const run = await api.run({
          config_overrides: { horizon: 1, models: ['seasonal_naive'], backtest_windows: 0 },
        });
        return (run['progress'] as { series_total: number }).series_total;
      });
    expect(await seriesOfRun()).toBe(2);
    expect(await withoutPolicies(seriesOfRun)).toBeGreaterThan(2);
  });

  it('mixes tenants in a sync only without the policies', async () => {
    const shop = await new WooCommerceServer().start();
    const day = dayOf(2, 10);
    shop.sell(day, 'P0001', 100); // all others have sold 5 of it on that day
    /** The most that is stored of that day in any workspace, when another one has synced with the shop. */
    const mostAfterSync = (): Promise<number> =>
      withoutTenants(async (computing) => {
        const workspace = await Connected.create(computing);
        const id = await workspace.connect('woocommerce', shop.settings);
        await eventually('the sync has ended', async () => {
          const ended = 'SELECT id FROM connector_syncs WHERE connector_id = $1 AND finished_at IS NOT NULL';
          return (await computing.database.query(ended, [id]))[0];
        });
        const [stored] = await computing.database.query<{ most: number }>(
          `SELECT max(known.quantity) AS most
           FROM series JOIN demand ON demand.series_id = series.id
           CROSS JOIN LATERAL unnest(demand.days, demand.quantities) AS known (day, quantity)
           WHERE series.unique_id = 'P0001' AND known.day = $1`,
          [day],
        );
        return stored!.most;
      });
    try {
      expect(await mostAfterSync()).toBe(100);
      expect(await withoutPolicies(mostAfterSync)).toBeGreaterThan(100);
    } finally {
      await shop.stop();
    }
  });
});
