import type { Queryable } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import type { OpenItems } from '../../platform/metrics/backlogs.js';
import type { ConnectorTenant } from '../connector.js';

export interface NewDelivery {
  readonly id: string;
  readonly key: string;
  readonly topic: string;
  readonly body: Buffer;
}

/** Stores a notification, unless it already exists or its connector has been removed in the meantime. */
export async function insertDelivery(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  delivery: NewDelivery,
): Promise<void> {
  await db.execute(
    `INSERT INTO connector_deliveries (organization_id, workspace_id, connector_id, id, key, topic, body, wake_at, received_at)
     SELECT $1, held.workspace_id, held.connector_id, $4, $5, $6, $7, clock_timestamp(), clock_timestamp()
     FROM (
       SELECT workspace.id AS workspace_id, connector.id AS connector_id
       FROM workspaces AS workspace JOIN connectors AS connector ON connector.workspace_id = workspace.id
       WHERE workspace.organization_id = $1 AND workspace.id = $2 AND connector.organization_id = $1 AND connector.id = $3
       FOR KEY SHARE
     ) AS held
     ON CONFLICT (connector_id, key) DO NOTHING`,
    [organizationId, workspaceId, connectorId, delivery.id, delivery.key, delivery.topic, delivery.body],
  );
}

/** A notification to be processed. */
export interface DueDelivery extends ConnectorTenant {
  readonly id: string;
  readonly topic: string;
  readonly body: Buffer;
  /** Including this one. */
  readonly attempts: number;
  readonly receivedAt: Date;
}

/** Maximum delay between attempts. */
const LONGEST_WAIT = `interval '30 minutes'`;

/**
 * Takes a notification and postpones its next attempt: no two processes get the same one, and if a process dies, its notification becomes
 * due again.
 * @param busy connectors whose notifications wait
 */
export async function takeDelivery(db: Queryable, busy: readonly string[]): Promise<DueDelivery | undefined> {
  const [row] = await db.query<DueDelivery>(
    `UPDATE connector_deliveries SET attempts = attempts + 1,
       wake_at = clock_timestamp() + least(${LONGEST_WAIT}, interval '1 minute' * 2.0 ^ least(attempts, 10))
     WHERE id = (
       SELECT id FROM connector_deliveries WHERE processed_at IS NULL AND (attempts = 0 OR ${isOver('wake_at', LONGEST_WAIT)})
         AND connector_id <> ALL ($1::uuid[])
       ORDER BY wake_at LIMIT 1 FOR UPDATE SKIP LOCKED
     )
     RETURNING id, connector_id AS "connectorId", organization_id AS "organizationId", workspace_id AS "workspaceId",
       topic, body, attempts, received_at AS "receivedAt"`,
    [busy],
  );
  return row;
}

/** Unprocessed notifications of all connectors. */
export function countPendingDeliveries(db: Queryable): Promise<OpenItems[]> {
  return db.query<OpenItems>(
    `SELECT 'pending' AS state, count(*)::int AS items, extract(epoch FROM clock_timestamp() - min(received_at))::float8 AS oldest
     FROM connector_deliveries WHERE processed_at IS NULL GROUP BY 1`,
  );
}

/** Ends a notification and deletes its body, since orders contain personal data. @returns false if another process has ended it */
export async function endDelivery(tx: Queryable, deliveryId: string, outcome: string): Promise<boolean> {
  const ended = await tx.execute(
    `UPDATE connector_deliveries SET processed_at = clock_timestamp(), outcome = $2, body = NULL
     WHERE id = $1 AND processed_at IS NULL`,
    [deliveryId, outcome],
  );
  return ended === 1;
}

/** Deletes notifications so old that no shop redelivers them. */
export async function deleteOldDeliveries(db: Queryable): Promise<void> {
  await db.execute(`DELETE FROM connector_deliveries WHERE processed_at < clock_timestamp() - interval '30 days'`);
}
