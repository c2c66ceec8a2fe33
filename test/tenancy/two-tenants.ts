import { recordAudit } from '../../src/access/index.js';
import { Feed } from '../odata/feed.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { stopIntervals } from '../support/time/stopped-intervals.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { LOCAL_PLATFORMS } from '../connectors/connected.js';
import { dayOf } from '../connectors/past-months.js';
import { WooCommerceServer } from '../connectors/woocommerce-server.js';
import { populate } from './populate.js';
import type { Population, WorkspaceIds } from './population.js';
import { SqlTap } from './sql-tap.js';

/** Two organizations over a service that answers and computes nothing, so that only what is asked happens. */
export interface TwoTenants {
  readonly service: TestService;
  readonly own: Population;
  readonly foreign: Population;
  /** The database, to start further processes on; closed with the rest. */
  readonly database: TestDatabase;
  /** Statements by which the two were made and computed. */
  readonly sentBefore: readonly string[];
  close(): Promise<void>;
}

export async function startTwoTenants(): Promise<TwoTenants> {
  const database = await createTestDatabase();
  const shop = await new WooCommerceServer().start();
  shop.sell(dayOf(2, 10), 'P0001', 5);
  shop.sell(dayOf(2, 11), 'P0001', 5);
  // cannot be read, and is set aside
  shop.orders.get(2)!.refunds = [{ id: 1 }];
  shop.instead = ({ path }) => (path.endsWith('/orders/2/refunds') ? { status: 400 } : undefined);
  const computing = await startTestService({ database, environment: LOCAL_PLATFORMS });
  const tap = new SqlTap(computing);
  const [own, foreign] = await Promise.all([populate(computing, shop, 'OWN'), populate(computing, shop, 'FOREIGN')]);
  await recordPlanChange(computing, foreign);
  // what the feed computes when it is first asked: in trials nothing that a request stores would stay
  for (const { organizationKey } of [own, foreign]) await new Feed(computing.url, organizationKey).rows('SafetyStocks');
  await computing.close();
  const service = await startTestService({ database, role: 'api', environment: LOCAL_PLATFORMS });
  await stopIntervals(service);
  for (const { ids, neighbour } of [own, foreign])
    for (const workspace of [ids, neighbour]) await queueRun(service, workspace);
  const close = async (): Promise<void> => {
    try {
      await service.close();
    } finally {
      await Promise.all([database.drop(), shop.stop()]);
    }
  };
  return { service, own, foreign, database, sentBefore: [...tap.sent.keys()], close };
}

/** The organization upgraded from a smaller plan, which its earlier months are reported by. */
async function recordPlanChange(service: TestService, { ids }: Population): Promise<void> {
  await service.database.transaction((tx) =>
    recordAudit(tx, {
      organizationId: ids.org_id,
      actor: { kind: 'system', id: null, name: 'test', address: null },
      action: 'plan.changed',
      target: { kind: 'organization', id: ids.org_id },
      details: { from: 'scale', to: 'enterprise' },
      now: new Date(),
    }),
  );
}

function queueRun(service: TestService, { queued_run_id, current }: WorkspaceIds): Promise<unknown> {
  return service.database.execute(
    `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at)
     SELECT $1, organization_id, workspace_id, 'queued', 'api', config, 'quota', now() FROM runs WHERE id = $2`,
    [queued_run_id, current],
  );
}
