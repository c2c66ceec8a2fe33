import type { Transaction } from '../../platform/database/database.js';
import type { AuditActor } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { insertUser, type UserRow } from './users.queries.js';

/** Creates an account and records it in the platform's log. @returns undefined if the address already has one */
export async function createUser(tx: Transaction, wanted: UserRow, actor: AuditActor): Promise<UserRow | undefined> {
  const user = await insertUser(tx, wanted);
  if (!user) return undefined;
  await recordAudit(tx, {
    organizationId: null,
    actor,
    action: 'user.created',
    target: { kind: 'user', id: user.id },
    details: { email: user.email, operator: user.isOperator },
    now: user.createdAt,
  });
  return user;
}
