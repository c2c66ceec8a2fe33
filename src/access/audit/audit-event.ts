import { hash } from 'node:crypto';
import { canonicalJson } from '../../platform/canonical-json.js';
import type { ApiCaller, UserCaller } from '../guard/caller.js';
import type { AuditAction } from './audit-action.js';

/** Id of the chain for events that belong to no organization. */
export const PLATFORM_CHAIN = '00000000-0000-0000-0000-000000000000';

/** Who performed an action. */
export interface AuditActor {
  readonly kind: 'user' | 'api_key' | 'anonymous' | 'command_line' | 'system';
  readonly id: string | null;
  /** The email of a user, the name of a key; for the command line, who ran it. */
  readonly name: string;
  readonly address: string | null;
}

/** Who performs an action, and when. */
export interface Attribution {
  readonly actor: AuditActor;
  readonly now: Date;
}

/** What was done, by whom and when, to what. Never put a secret into `details`. */
export interface AuditEntry extends Attribution {
  /** Null for events of the platform. */
  readonly organizationId: string | null;
  readonly action: AuditAction;
  readonly target: { readonly kind: string; readonly id: string };
  /** Keys are in snake_case, as in the API. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export function actorOf(caller: UserCaller | ApiCaller): AuditActor {
  return 'apiKeyId' in caller
    ? { kind: 'api_key', id: caller.apiKeyId, name: caller.apiKeyName, address: caller.address }
    : { kind: 'user', id: caller.userId, name: caller.email, address: caller.address };
}

/** An event as stored in the log. */
export interface AuditEvent {
  organization_id: string;
  sequence: number;
  id: string;
  occurred_at: Date;
  actor_kind: AuditActor['kind'];
  actor_id: string | null;
  actor_name: string;
  action: string;
  target_kind: string;
  target_id: string;
  details: Record<string, unknown>;
  address: string | null;
}

/** An event with its link in the chain, the {@link hashEvent} of it. */
export interface HashedEvent extends AuditEvent {
  hash: Buffer;
}

/** The hash that the first event of a chain links to. */
export const CHAIN_START = Buffer.alloc(32);

/** SHA-256 over the previous event's hash and all of this event: a change anywhere breaks every later link. */
export function hashEvent(previous: Buffer, event: AuditEvent): Buffer {
  const content = [
    event.organization_id,
    event.sequence,
    event.id,
    event.occurred_at.toISOString(),
    event.actor_kind,
    event.actor_id,
    event.actor_name,
    event.action,
    event.target_kind,
    event.target_id,
    event.details,
    event.address,
  ];
  // jsonb does not preserve key order, so the hash must not depend on it
  return hash('sha256', Buffer.concat([previous, Buffer.from(canonicalJson(content))]), 'buffer');
}
