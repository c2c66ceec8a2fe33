import { one, oneOrNone, type Queryable } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import { type OpenItems, openItems } from '../../platform/metrics/backlogs.js';
import type { ConnectorTenant } from '../connector.js';

export interface NewDelivery {
  readonly id: string;
  readonly key: string;
  readonly topic: string;
  readonly body: Buffer;
}

/** Maximum number of unprocessed notifications of a connector, and of the bytes of their bodies. */
const MAX_WAITING = 10_000;
const MAX_WAITING_BYTES = 256 * 1_048_576;

/** Whether a connector may have no further notification waiting. Concurrent ones may each find the last place free. */
export async function hasFullQueue(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<boolean> {
  const { full } = await one<{ full: boolean }>(
    db,
    `SELECT count(*) >= $4 OR coalesce(sum(octet_length(body)), 0) >= $5 AS full FROM connector_deliveries
       WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND processed_at IS NULL`,
    [organizationId, workspaceId, connectorId, MAX_WAITING, MAX_WAITING_BYTES],
  );
  return full;
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
const MAX_WAIT = `interval '30 minutes'`;

/**
 * Takes a notification and postpones its next attempt: no two processes get the same one, and if a process dies, its notification becomes
 * due again.
 * @param busy connectors whose notifications wait
 */
export function takeDelivery(db: Queryable, busy: readonly string[]): Promise<DueDelivery | undefined> {
  return take(db, `(attempts = 0 OR ${isOver('wake_at', MAX_WAIT)}) AND connector_id <> ALL ($1::uuid[])`, busy);
}

/** As {@link takeDelivery}, of one connector, and only a notification that has not been tried yet. */
export function takeFreshDelivery(db: Queryable, connectorId: string): Promise<DueDelivery | undefined> {
  return take(db, 'attempts = 0 AND connector_id = $1', connectorId);
}

function take(db: Queryable, which: string, parameter: unknown): Promise<DueDelivery | undefined> {
  return oneOrNone<DueDelivery>(
    db,
    `UPDATE connector_deliveries SET attempts = attempts + 1,
       wake_at = clock_timestamp() + least(${MAX_WAIT}, interval '1 minute' * 2.0 ^ least(attempts, 10))
     WHERE id = (
       SELECT id FROM connector_deliveries WHERE processed_at IS NULL AND ${which}
       ORDER BY wake_at LIMIT 1 FOR UPDATE SKIP LOCKED
     )
     RETURNING id, connector_id AS "connectorId", organization_id AS "organizationId", workspace_id AS "workspaceId",
       topic, body, attempts, received_at AS "receivedAt"`,
    [parameter],
  );
}

/** Unprocessed notifications of all connectors. */
export function countPendingDeliveries(db: Queryable): Promise<OpenItems[]> {
  return db.query<OpenItems>(
    `SELECT 'pending' AS state, ${openItems('received_at')}
     FROM connector_deliveries WHERE processed_at IS NULL GROUP BY 1`,
  );
}

/** A notification that ends. */
export interface EndedDelivery<Outcome extends string = string> {
  readonly id: string;
  readonly outcome: Outcome;
}

/**
 * Ends notifications and deletes their bodies, since orders contain personal data.
 * @returns those that no other process has ended
 */
export function endDeliveries<Outcome extends string>(
  db: Queryable,
  deliveries: readonly EndedDelivery<Outcome>[],
): Promise<EndedDelivery<Outcome>[]> {
  return db.query<EndedDelivery<Outcome>>(
    `UPDATE connector_deliveries AS delivery SET processed_at = clock_timestamp(), outcome = ended.outcome, body = NULL
     FROM unnest($1::uuid[], $2::text[]) AS ended (id, outcome)
     WHERE delivery.id = ended.id AND processed_at IS NULL
     RETURNING delivery.id, delivery.outcome`,
    [deliveries.map(({ id }) => id), deliveries.map(({ outcome }) => outcome)],
  );
}

/** Maximum number of processed notifications of a connector that are kept. Others that are redelivered are only read again. */
const MAX_PROCESSED = 10_000;

/** Deletes the oldest processed notifications of a connector that has too many. */
export async function deleteSurplusDeliveries(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<void> {
  const processed = 'organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND processed_at IS NOT NULL';
  await db.execute(
    `DELETE FROM connector_deliveries WHERE ${processed} AND processed_at <= (
       SELECT processed_at FROM connector_deliveries WHERE ${processed} ORDER BY processed_at DESC OFFSET $4 LIMIT 1
     )`,
    [organizationId, workspaceId, connectorId, MAX_PROCESSED],
  );
}

/** Deletes notifications so old that no shop redelivers them. */
export async function deleteOldDeliveries(db: Queryable): Promise<void> {
  await db.execute(`DELETE FROM connector_deliveries WHERE processed_at < clock_timestamp() - interval '30 days'`);
}
