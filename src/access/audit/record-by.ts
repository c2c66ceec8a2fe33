import type { Transaction } from '../../platform/database/database.js';
import type { TenantCaller, UserCaller } from '../guard/caller.js';
import { listMembershipsOfUser } from '../organizations/members/memberships.queries.js';
import { actorOf, type AuditActor, type AuditEntry } from './audit-event.js';
import { recordAudit } from './audit-log.js';

/** What was done. Who did it, and in whose log it is recorded, follow from the caller. */
export type AuditAct = Omit<AuditEntry, 'organizationId' | 'actor'>;

/** Records an action by an API key, or by a member in the organization of the route. */
export function recordAuditBy(tx: Transaction, caller: TenantCaller, act: AuditAct): Promise<void> {
  return recordAudit(tx, { organizationId: caller.organizationId, actor: actorOf(caller), ...act });
}

/** Records what an operator did for the platform, in the platform's log. */
export function recordAuditByOperator(tx: Transaction, operator: UserCaller, act: AuditAct): Promise<void> {
  return recordAudit(tx, { organizationId: null, actor: actorOf(operator), ...act });
}

/** Records an event of a user's account in the log of every organization of the user; if there is none, in the platform's. */
export async function recordAuditOfAccount(
  tx: Transaction,
  userId: string,
  event: AuditAct & { readonly actor: AuditActor },
): Promise<void> {
  const memberships = await listMembershipsOfUser(tx, userId);
  const chains = memberships.length === 0 ? [null] : memberships.map(({ organization_id }) => organization_id);
  for (const organizationId of chains) await recordAudit(tx, { organizationId, ...event });
}
