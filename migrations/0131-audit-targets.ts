import { Migration } from '@mikro-orm/migrations';

/** All that was done to one key, user or run: the log is filtered by target. */
class AuditTargets extends Migration {
  override up(): void {
    this.addSql('CREATE INDEX audit_events_target ON audit_events (organization_id, target_id, sequence)');
  }
}

export const auditTargets = { name: '0131-audit-targets', class: AuditTargets };
