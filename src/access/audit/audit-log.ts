import type { Queryable, Transaction } from '../../platform/database/database.js';
import { newId } from '../../platform/ids.js';
import { readAhead } from '../../platform/work/read-ahead.js';
import { type AuditEntry, type AuditEvent, CHAIN_START, hashEvent, PLATFORM_CHAIN } from './audit-event.js';
import { appendEvent, type Head, type LinkedEvent, lockHead, readChain, readHead } from './audit.queries.js';

/**
 * Appends an event to the audit log, in the transaction of the action that it records: both happen, or neither. Call it last, since
 * it locks the organization's chain until the commit.
 */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const chain = entry.organizationId ?? PLATFORM_CHAIN;
  const head = await lockHead(tx, chain, CHAIN_START);
  const event: AuditEvent = {
    organization_id: chain,
    sequence: head.sequence + 1,
    id: newId(),
    occurred_at: entry.now,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    action: entry.action,
    target_kind: entry.target.kind,
    target_id: entry.target.id,
    // as jsonb stores it, which the hash must cover: without undefined, dates as text
    details: JSON.parse(JSON.stringify(entry.details ?? {})) as Record<string, unknown>,
    address: entry.actor.address,
  };
  await appendEvent(tx, event, head.hash, hashEvent(head.hash, event));
}

/** The result of verifying a chain. */
export type ChainReport = {
  /** Number of events found in order, and the hash of the last of them as hexadecimal digits. */
  readonly events: number;
  readonly last_hash: string;
} & ({ readonly intact: true } | { readonly intact: false; readonly broken_at: number; readonly reason: string });

const BATCH = 1_000;

/**
 * Recomputes every link of an organization's chain (the platform's for null) and compares its end with the head. The head is read
 * before and after, since events may be written in the meantime: the chain must reach at least the first and at most the second.
 */
export async function verifyAuditChain(db: Queryable, organizationId: string | null): Promise<ChainReport> {
  const chain = organizationId ?? PLATFORM_CHAIN;
  const before = await readHead(db, chain);
  let end: Head = { sequence: 0, hash: CHAIN_START };
  const inOrder = () => ({ events: end.sequence, last_hash: end.hash.toString('hex') });
  const broken = (at: number, reason: string): ChainReport => ({ intact: false, ...inOrder(), broken_at: at, reason });
  const batches = readAhead(BATCH, (last: LinkedEvent | undefined) => readChain(db, chain, last?.sequence ?? 0, BATCH));
  for await (const events of batches) {
    for (const event of events) {
      const fault = faultOfLink(end, event);
      if (fault !== undefined) return broken(end.sequence + 1, fault);
      end = event;
      if (!agrees(end, before)) return broken(end.sequence, OTHER_END);
    }
  }
  if ((before?.sequence ?? 0) > end.sequence) return broken(end.sequence + 1, 'events are missing at the end');
  const after = await readHead(db, chain);
  const unwritten = end.sequence > (after?.sequence ?? 0);
  if (unwritten || !agrees(end, after)) return broken(end.sequence, OTHER_END);
  return { intact: true, ...inOrder() };
}

const OTHER_END = 'the last event is not the one that was written';

/** Why an event cannot follow its predecessor; undefined if it can. */
function faultOfLink(before: Head, event: LinkedEvent): string | undefined {
  if (event.sequence !== before.sequence + 1) return 'an event is missing';
  if (!event.previous_hash.equals(before.hash)) return 'the event is not linked to the one before it';
  return hashEvent(before.hash, event).equals(event.hash) ? undefined : 'the event was changed';
}

/** Whether the event's hash equals the head's hash for the same sequence number. True if the head has another number. */
function agrees(end: Head, head: Head | undefined): boolean {
  return head?.sequence !== end.sequence || head.hash.equals(end.hash);
}
