import type { Queryable, Transaction } from '../../platform/database/database.js';
import { isLastFetch } from '../../platform/database/page-room.js';
import { newId } from '../../platform/ids.js';
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
    occurred_at: entry.occurredAt,
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
  for await (const events of batchesOf(db, chain)) {
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

/** All events of a chain in order. The next batch is read while the current one is being verified. */
async function* batchesOf(db: Queryable, chain: string): AsyncGenerator<readonly LinkedEvent[]> {
  let next: Promise<readonly (LinkedEvent | undefined)[]> | undefined = readChain(db, chain, 0, BATCH);
  while (next) {
    const fetched: readonly (LinkedEvent | undefined)[] = await next;
    const events = fetched.filter((event) => event !== undefined);
    // stops at the first short batch: if events are written as fast as they are read, there would always be another
    next = isLastFetch(fetched, BATCH) ? undefined : readChain(db, chain, events.at(-1)!.sequence, BATCH);
    next?.catch(() => undefined); // awaited above; after a broken link nothing awaits it, and a rejection must not end the process
    yield events;
  }
}

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
