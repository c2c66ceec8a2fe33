import type { Queryable, Transaction } from '../../platform/database/database.js';
import { newId } from '../../platform/ids.js';
import { type AuditEntry, type AuditEvent, CHAIN_START, hashEvent, PLATFORM_CHAIN } from './audit-event.js';
import { appendEvent, lockHead, readChain, readHead } from './audit.queries.js';

/**
 * Writes an event into the audit log, in the transaction of what it tells of: both happen or neither. Call it last, as
 * it holds the organization's chain until the commit.
 */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const chain = entry.organizationId ?? PLATFORM_CHAIN;
  const head = await lockHead(tx, chain, CHAIN_START);
  const event: AuditEvent = {
    organization_id: chain,
    sequence: head.sequence + 1,
    id: newId(),
    occurred_at: entry.occurredAt,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    action: entry.action,
    target_kind: entry.target.kind,
    target_id: entry.target.id,
    // what jsonb would store: no undefined, dates as text
    details: JSON.parse(JSON.stringify(entry.details ?? {})) as Record<string, unknown>,
    address: entry.actor.address,
  };
  await appendEvent(tx, event, head.hash, hashEvent(head.hash, event));
}

/** What checking a chain has found. */
export type ChainReport =
  | { readonly intact: true; readonly events: number }
  | { readonly intact: false; readonly events: number; readonly broken_at: number; readonly reason: string };

const BATCH = 1_000;

/**
 * Recomputes every link of an organization's chain (the platform's for null) and compares its end with the head. Events
 * that are written meanwhile are no fault: the head before the first event bounds the chain from below, the one after the
 * last from above.
 */
export async function verifyAuditChain(db: Queryable, organizationId: string | null): Promise<ChainReport> {
  const chain = organizationId ?? PLATFORM_CHAIN;
  const before = await readHead(db, chain);
  let previous: Buffer = CHAIN_START;
  let sequence = 0;
  const broken = (at: number, reason: string): ChainReport => ({
    intact: false,
    events: sequence,
    broken_at: at,
    reason,
  });
  /** Whether the event just read has the hash that a head keeps for its sequence number; true of heads for another number. */
  const agreesWith = (head: Awaited<typeof before>): boolean =>
    head?.sequence !== sequence || head.hash.equals(previous);
  for (;;) {
    const events = await readChain(db, chain, sequence, BATCH);
    for (const event of events) {
      if (event.sequence !== sequence + 1) return broken(sequence + 1, 'an event is missing');
      if (!event.previous_hash.equals(previous))
        return broken(event.sequence, 'the event is not linked to the one before it');
      if (!hashEvent(previous, event).equals(event.hash)) return broken(event.sequence, 'the event was changed');
      previous = event.hash;
      sequence = event.sequence;
      if (!agreesWith(before)) return broken(sequence, 'the last event is not the one that was written');
    }
    if (events.length < BATCH) break;
  }
  if ((before?.sequence ?? 0) > sequence) return broken(sequence + 1, 'events are missing at the end');
  const after = await readHead(db, chain);
  const unwritten = sequence > (after?.sequence ?? 0);
  if (unwritten || !agreesWith(after)) return broken(sequence, 'the last event is not the one that was written');
  return { intact: true, events: sequence };
}
