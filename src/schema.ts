import { migrations } from '../migrations/index.js';
import { replacedMigrations } from '../migrations/replaced.js';
import { ACCESS_ENTITIES } from './access/access.entities.js';
import { ALERT_ENTITIES } from './alerts/alerts.entities.js';
import { COMMUNITY_ENTITIES } from './community/community.entities.js';
import { COMPLIANCE_ENTITIES } from './compliance/compliance.entities.js';
import { CONNECTOR_ENTITIES } from './connectors/connectors.entities.js';
import { SECRET_CHECK_ENTITIES } from './platform/crypto/secret-checks.entities.js';
import { MAIL_ENTITIES } from './platform/mail/mail.entities.js';
import type { SchemaSource } from './platform/database/setup/orm-options.js';
import { RELEASE_ENTITIES } from './releases/releases.entities.js';
import { RETENTION_ENTITIES } from './retention/retention.entities.js';
import { FORECAST_ENTITIES } from './forecasts/forecasts.entities.js';
import { RUN_ENTITIES } from './runs/runs.entities.js';
import { SERIES_ENTITIES } from './series/series.entities.js';
import { TREND_ENTITIES } from './series/trends/trends.entities.js';
import { USAGE_ENTITIES } from './usage/usage.entities.js';

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
