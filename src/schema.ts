import { migrations } from '../migrations/index.js';
import { replacedMigrations } from '../migrations/replaced.js';
import { ACCESS_ENTITIES } from './access/index.js';
import { ALERT_ENTITIES } from './alerts/index.js';
import { COMMUNITY_ENTITIES } from './community/index.js';
import { COMPLIANCE_ENTITIES } from './compliance/index.js';
import { CONNECTOR_ENTITIES } from './connectors/index.js';
import { SECRET_CHECK_ENTITIES } from './platform/crypto/secret-checks.entities.js';
import { MAIL_ENTITIES } from './platform/mail/mail.entities.js';
import type { SchemaSource } from './platform/database/setup/orm-options.js';
import { RELEASE_ENTITIES } from './releases/index.js';
import { RETENTION_ENTITIES } from './retention/index.js';
import { FORECAST_ENTITIES } from './forecasts/index.js';
import { RUN_ENTITIES } from './runs/index.js';
import { SERIES_ENTITIES, TREND_ENTITIES } from './series/index.js';
import { USAGE_ENTITIES } from './usage/index.js';

/** The schema of all modules together, and the migrations that lead to it. */
export const SCHEMA: SchemaSource = {
  entities: [
    ...ACCESS_ENTITIES,
    ...USAGE_ENTITIES,
    ...SERIES_ENTITIES,
    ...TREND_ENTITIES,
    ...ALERT_ENTITIES,
    ...RUN_ENTITIES,
    ...FORECAST_ENTITIES,
    ...COMMUNITY_ENTITIES,
    ...COMPLIANCE_ENTITIES,
    ...RELEASE_ENTITIES,
    ...CONNECTOR_ENTITIES,
    ...RETENTION_ENTITIES,
    ...MAIL_ENTITIES,
    ...SECRET_CHECK_ENTITIES,
  ],
  migrations,
  replaced: replacedMigrations,
  // append-only: the audit log, but its heads move with it, and the registers that auditors read, but old evidence is deleted
  restricted: {
    audit_events: 'SELECT, INSERT',
    audit_heads: 'SELECT, INSERT, UPDATE',
    compliance_attestations: 'SELECT, INSERT',
    compliance_evidence: 'SELECT, INSERT, DELETE',
    agreement_acceptances: 'SELECT, INSERT',
    secret_checks: 'SELECT', // written by the owner at the first start
  },
};
