import { exists, one, oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import { fittingRows, type Measured, measuredPage } from '../../platform/database/page-room.js';
import type { ListOrder, Slice } from '../../platform/http/pagination.js';
import type { AuditEvent, HashedEvent } from './audit-event.js';

export interface Head {
  sequence: number;
  hash: Buffer;
}

/** Locks the end of a chain until the transaction ends: events of an organization are linked one after the other. */
export function lockHead(tx: Transaction, chain: string, start: Buffer): Promise<Head> {
  return one<Head>(
    tx,
    `INSERT INTO audit_heads (organization_id, sequence, hash) VALUES ($1, 0, $2)
     ON CONFLICT (organization_id) DO UPDATE SET sequence = audit_heads.sequence RETURNING sequence, hash`,
    [chain, start],
  );
}

export async function appendEvent(tx: Transaction, event: AuditEvent, previous: Buffer, hash: Buffer): Promise<void> {
  await tx.execute(
    `INSERT INTO audit_events (organization_id, sequence, id, occurred_at, actor_kind, actor_id, actor_name, action,
       target_kind, target_id, details, address, previous_hash, hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      event.organization_id,
      event.sequence,
      event.id,
      event.occurred_at,
      event.actor_kind,
      event.actor_id,
      event.actor_name,
      event.action,
      event.target_kind,
      event.target_id,
      JSON.stringify(event.details),
      event.address,
      previous,
      hash,
    ],
  );
  await tx.execute(`UPDATE audit_heads SET sequence = $2, hash = $3 WHERE organization_id = $1`, [
    event.organization_id,
    event.sequence,
    hash,
  ]);
}

const COLUMNS = `organization_id, sequence, id, occurred_at, actor_kind, actor_id, actor_name, action, target_kind, target_id,
  details, address`;

export interface AuditFilter extends Slice {
  readonly action: string | undefined;
  readonly actorId: string | undefined;
  readonly targetId: string | undefined;
  /** From this instant, inclusive. */
  readonly from: Date | undefined;
  /** Up to this instant, exclusive. */
  readonly to: Date | undefined;
}

/** In chain order. */
export const EVENT_ORDER: ListOrder<AuditEvent> = {
  list: 'audit_events',
  parts: ['integer'],
  positionOf: ({ sequence }) => [String(sequence)],
};

/** Bytes of the heavy part of an event, which may contain all metadata of a series, or the names of 10,000. */
const WEIGHT = 'octet_length(details::text)';

/** Newest first. Undefined stands for events that do not fit on the page. */
export async function listEvents(
  db: Queryable,
  chain: string,
  filter: AuditFilter,
): Promise<readonly (HashedEvent | undefined)[]> {
  const page = `SELECT * FROM audit_events
     WHERE organization_id = $1
       AND ($2::text IS NULL OR action = $2) AND ($3::uuid IS NULL OR actor_id = $3)
       AND ($4::timestamptz IS NULL OR occurred_at >= $4) AND ($5::timestamptz IS NULL OR occurred_at < $5)
       AND ($6::int IS NULL OR sequence < $6) AND ($8::text IS NULL OR target_id = $8)
     ORDER BY sequence DESC LIMIT $7`;
  const rows = await db.query<HashedEvent & Measured>(
    `SELECT ${COLUMNS}, hash, fetched FROM ${measuredPage(page, WEIGHT)} AS page WHERE fits`,
    [
      chain,
      filter.action ?? null,
      filter.actorId ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.after?.[0] ?? null,
      filter.limit,
      filter.targetId ?? null,
    ],
  );
  return fittingRows(rows);
}

/** Whether a chain contains an event with that action. */
export function hasAction(db: Queryable, chain: string, action: string): Promise<boolean> {
  return exists(db, `SELECT FROM audit_events WHERE organization_id = $1 AND action = $2`, [chain, action]);
}

export interface LinkedEvent extends HashedEvent {
  previous_hash: Buffer;
}

/** A batch of the chain after a sequence number, in order. Undefined stands for events that do not fit into the batch. */
export async function readChain(
  db: Queryable,
  chain: string,
  after: number,
  limit: number,
): Promise<readonly (LinkedEvent | undefined)[]> {
  const batch = `SELECT * FROM audit_events WHERE organization_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`;
  const rows = await db.query<LinkedEvent & Measured>(
    `SELECT ${COLUMNS}, previous_hash, hash, fetched FROM ${measuredPage(batch, WEIGHT)} AS batch WHERE fits`,
    [chain, after, limit],
  );
  return fittingRows(rows);
}

export function readHead(db: Queryable, chain: string): Promise<Head | undefined> {
  return oneOrNone<Head>(db, `SELECT sequence, hash FROM audit_heads WHERE organization_id = $1`, [chain]);
}

export async function listChains(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ chain: string }>(
    `SELECT organization_id AS chain FROM audit_heads UNION SELECT organization_id FROM audit_events ORDER BY 1`,
  );
  return rows.map((row) => row.chain);
}
