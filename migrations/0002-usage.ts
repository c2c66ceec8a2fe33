import { Migration } from '@mikro-orm/migrations';

/** Monthly run counters and the outbox of the metering service. */
class Usage extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE usage_counters (
        organization_id uuid NOT NULL,
        month date NOT NULL,
        used int NOT NULL DEFAULT 0,
        overage int NOT NULL DEFAULT 0,
        CONSTRAINT usage_counters_pkey PRIMARY KEY (organization_id, month),
        CONSTRAINT usage_counters_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    this.addSql(`
      CREATE TABLE meter_events (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        identifier text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        occurred_at timestamptz(3) NOT NULL,
        attempts int NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL,
        last_error text,
        delivered_at timestamptz(3),
        CONSTRAINT meter_events_pkey PRIMARY KEY (id),
        CONSTRAINT meter_events_identifier UNIQUE (identifier),
        CONSTRAINT meter_events_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX meter_events_due ON meter_events (next_attempt_at) WHERE status = 'pending'`);
    this.addSql(`CREATE INDEX meter_events_organization ON meter_events (organization_id, occurred_at)`);
  }
}

export const usage = { name: '0002-usage', class: Usage };
