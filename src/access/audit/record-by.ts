import type { Transaction } from '../../platform/database/database.js';
import type { TenantCaller } from '../guard/caller.js';
import { listMembershipsOfUser } from '../organizations/memberships.queries.js';
import { actorOf, type AuditActor, type AuditEntry } from './audit-event.js';
import { recordAudit } from './audit-log.js';

/** What was done; who did it and where is told by the caller. */
export type AuditAct = Omit<AuditEntry, 'organizationId' | 'actor'>;

/** Writes an event of a key, or of a member in the organization of the route. */
export function recordAuditBy(tx: Transaction, caller: TenantCaller, act: AuditAct): Promise<void> {
  return recordAudit(tx, { organizationId: caller.organizationId, actor: actorOf(caller), ...act });
}

/** Writes an event of a user's account: into the log of every organization it reaches, the platform's where it reaches none. */
export async function recordAuditOfAccount(
  tx: Transaction,
  userId: string,
  event: AuditAct & { readonly actor: AuditActor },
): Promise<void> {
  const memberships = await listMembershipsOfUser(tx, userId);
  const chains = memberships.length === 0 ? [null] : memberships.map(({ organization_id }) => organization_id);
  for (const organizationId of chains) await recordAudit(tx, { organizationId, ...event });
}
