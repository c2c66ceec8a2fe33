import type { CheckName } from '../../../config/soc2.js';
import {
  accessReviewed,
  apiKeysAllowlisted,
  apiKeysRotated,
  leaversRemoved,
  secondFactorAdmins,
  secondFactorOperators,
  sessionsEnd,
} from './access.js';
import { auditActivity, auditChain } from './audit.js';
import type { Check } from './check.js';
import { agreementsAccepted, deletionsDone, retentionEnforced, workNotStuck } from './data.js';
import { tlsPublicUrl, uptime } from './reach.js';
import {
  backupRecent,
  dependencyScan,
  incidentReview,
  operatorAccessReviewed,
  releaseCi,
  restoreDrill,
  vendorReview,
} from './registers.js';
import { credentialsHashed, sealedSecrets, secretsPrivate } from './secrets.js';
import { migrationsApplied, rowLevelSecurity } from './structure.js';

/** Checks that judge the process in which they run: they are only meaningful in a process of the API. */
export const CHECKS_OF_THE_API: readonly CheckName[] = ['secrets_private', 'tls_public_url'];

/** The implementation of each check in the catalog. */
export const CHECKS: Readonly<Record<CheckName, Check>> = {
  second_factor_operators: secondFactorOperators,
  second_factor_admins: secondFactorAdmins,
  access_reviewed: accessReviewed,
  operator_access_reviewed: operatorAccessReviewed,
  leavers_removed: leaversRemoved,
  sessions_end: sessionsEnd,
  credentials_hashed: credentialsHashed,
  api_keys_rotated: apiKeysRotated,
  api_keys_allowlisted: apiKeysAllowlisted,
  sealed_secrets: sealedSecrets,
  secrets_private: secretsPrivate,
  audit_chain: auditChain,
  audit_activity: auditActivity,
  row_level_security: rowLevelSecurity,
  retention_enforced: retentionEnforced,
  deletions_done: deletionsDone,
  agreements_accepted: agreementsAccepted,
  migrations_applied: migrationsApplied,
  tls_public_url: tlsPublicUrl,
  uptime,
  work_not_stuck: workNotStuck,
  backup_recent: backupRecent,
  restore_drill: restoreDrill,
  dependency_scan: dependencyScan,
  release_ci: releaseCi,
  incident_review: incidentReview,
  vendor_review: vendorReview,
};
