import { Migration } from '@mikro-orm/migrations';
import { organizationPolicy, workspacePolicy } from './tenant-policies.js';

const OF_ORGANIZATION = [
  'memberships',
  'api_keys',
  'idempotency_keys',
  'invitations',
  'audit_events',
  'audit_heads',
  'usage_counters',
  'meter_events',
  'billing_customers',
  'import_chunks',
  'retention_sweeps',
];
const OF_WORKSPACE = [
  'series',
  'demand',
  'imports',
  'overrides',
  'series_trends',
  'trend_changes',
  'alerts',
  'runs',
  'run_chunks',
  'run_schedules',
  'forecasts',
];

/** Policies that keep the service's role to the rows of the scope it works in (platform/database/scope.ts). */
class RowLevelSecurity extends Migration {
  override up(): void {
    for (const statement of [
      ...organizationPolicy('organizations', 'id'),
      ...workspacePolicy('workspaces', 'id'),
      ...OF_ORGANIZATION.flatMap((table) => organizationPolicy(table)),
      ...OF_WORKSPACE.flatMap((table) => workspacePolicy(table)),
    ]) {
      this.addSql(statement);
    }
  }
}

export const rowLevelSecurity = { name: '0031-row-level-security', class: RowLevelSecurity };
