import type { ClientBase, PoolClient } from 'pg';
import type { Scope, Tenant } from '../scope.js';

/**
 * The scope as settings of a database session, which the policies read (migrations/0031-row-level-security.ts). A session without
 * them sees no tenant's rows. A null time limit leaves the statement timeout unchanged.
 */
const SET_SCOPE = `SELECT set_config('app.organization_id', $1, $5), set_config('app.workspace_id', $2, $5), set_config('app.system', $3, $5),
  set_config('statement_timeout', coalesce($4, current_setting('statement_timeout')), $5)`;

type Settings = readonly [organizationId: string, workspaceId: string, system: 'on' | 'off'];

/** Milliseconds that a statement may take before the database cancels it. */
export interface StatementBounds {
  /** While someone is waiting for the reply. */
  readonly awaited: number;
  /** For background work. */
  readonly work: number;
}

/** Milliseconds to wait for a reply beyond the time limit of its statement. A pooler whose server hangs never answers. */
const SILENCE_MS = 15_000;

/** Option of a node-postgres query: when to give up on it. */
export interface ReplyBound {
  readonly query_timeout?: number;
}

export function replyBound(scope: Scope, bounds?: StatementBounds): ReplyBound {
  return bounds ? { query_timeout: boundOf(scope, bounds) + SILENCE_MS } : {};
}

const boundOf = ({ awaited }: Scope, bounds: StatementBounds): number => (awaited ? bounds.awaited : bounds.work);

/** The scope that each pooled connection is in: entering the same one again costs nothing. */
const entered = new WeakMap<PoolClient, string>();

/**
 * Puts the session into the scope, with its statement time limit, until it enters another. Await it before sending anything else:
 * if it failed, the next statement would run in the previous scope. Not for use within a transaction, whose rollback would undo it.
 */
export async function enterScope(client: PoolClient, scope: Scope, bounds?: StatementBounds): Promise<void> {
  const settings = settingsOf(scope);
  const bound = bounds && String(boundOf(scope, bounds));
  const wanted = [...settings, bound].join(' ');
  if (entered.get(client) === wanted) return;
  await client.query({ text: SET_SCOPE, values: [...settings, bound, false], ...replyBound(scope, bounds) });
  entered.set(client, wanted);
}

/** Puts the session into the tenant's scope until the end of the transaction. */
export async function narrowTo(client: ClientBase, tenant: Tenant, reply: ReplyBound): Promise<void> {
  await client.query({ text: SET_SCOPE, values: [...settingsOf({ kind: 'tenant', ...tenant }), null, true], ...reply });
}

function settingsOf(scope: Scope): Settings {
  switch (scope.kind) {
    case 'tenant':
      return [scope.organizationId, scope.workspaceId ?? '', 'off'];
    case 'platform':
      return ['', '', 'off'];
    case 'system':
      return ['', '', 'on'];
  }
}
