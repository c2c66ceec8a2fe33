export { notEnded as apiKeyNotEnded } from './api-keys/api-keys.queries.js';
export type { AuditAction } from './audit/audit-action.js';
export { actorOf, type AuditActor, type AuditEntry, PLATFORM_CHAIN } from './audit/audit-event.js';
export { changeBetween } from './audit/change.js';
export { listChains } from './audit/audit.queries.js';
export { type AuditAct, recordAuditBy, recordAuditByOperator } from './audit/record-by.js';
export { recordAudit, verifyAuditChain } from './audit/audit-log.js';
export { AccessModule } from './access.module.js';
export {
  Caller,
  CurrentMember,
  CurrentTenant,
  CurrentUser,
  type ApiCaller,
  type MemberCaller,
  type TenantCaller,
  tenantOf,
  type UserCaller,
} from './guard/caller.js';
export { RequestCeiling } from './guard/request-ceiling.js';
export { WorkspaceScope } from './guard/workspace-scope.js';
export { OrganizationMails, type OrganizationNotice } from './mails/organization-mails.js';
export { IS_DEMO, planUntil } from './organizations/organizations.queries.js';
export { WorkspaceRemovals } from './organizations/workspaces/workspace-removals.js';
export { requireRoom } from './organizations/plans/plan-limits.js';
export { countPlanUse } from './organizations/plans/plan-use.js';
export { Idempotency, type ReplayableReply, requestHash, type StoredReply } from './idempotency/idempotency.js';
export type { KeyIdentity } from './idempotency/idempotency.queries.js';
export { ApiIdempotent, IdempotencyKey, sendStored } from './idempotency/idempotency-http.js';
export { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from './sessions/session-token.js';
