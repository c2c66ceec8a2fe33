import { Migration } from '@mikro-orm/migrations';
import { workspacePolicy } from './tenant-policies.js';

const TENANT = `
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL`;

const tenantKeys = (table: string): string => `
        CONSTRAINT ${table}_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT ${table}_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE`;

const connectorKey = (table: string): string => `
        CONSTRAINT ${table}_connector_id_foreign FOREIGN KEY (connector_id) REFERENCES connectors (id) ON DELETE CASCADE`;

/** Connectors to shops, accounting and ERP systems, their syncs, the orders they brought, and deliveries of webhooks. */
class Connectors extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE connectors (
        id uuid NOT NULL,${TENANT},
        platform text NOT NULL,
        name text NOT NULL,
        settings jsonb NOT NULL,
        sealed bytea NOT NULL,
        time_zone text NOT NULL,
        counts_from date NOT NULL,
        interval_minutes int NOT NULL,
        enabled boolean NOT NULL DEFAULT true,
        reconnect_reason jsonb,
        cursor jsonb NOT NULL DEFAULT '{}',
        next_sync_at timestamptz(3),
        last_synced_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT connectors_pkey PRIMARY KEY (id),${tenantKeys('connectors')}
      )`);
    this.addSql(`CREATE INDEX connectors_listing ON connectors (workspace_id, id)`);
    this.addSql(`CREATE INDEX connectors_due ON connectors (next_sync_at) WHERE next_sync_at IS NOT NULL`);
    this.addSql(`
      CREATE TABLE connector_syncs (
        id uuid NOT NULL,${TENANT},
        connector_id uuid NOT NULL,
        status text NOT NULL,
        trigger text NOT NULL,
        pages int NOT NULL DEFAULT 0,
        orders_read int NOT NULL DEFAULT 0,
        orders_changed int NOT NULL DEFAULT 0,
        lines_skipped int NOT NULL DEFAULT 0,
        failures int NOT NULL DEFAULT 0,
        error jsonb,
        wake_at timestamptz(3) NOT NULL,
        lease_epoch int NOT NULL DEFAULT 0,
        lease_expires_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        CONSTRAINT connector_syncs_pkey PRIMARY KEY (id),${tenantKeys('connector_syncs')},${connectorKey('connector_syncs')}
      )`);
    this.addSql(`CREATE INDEX connector_syncs_listing ON connector_syncs (connector_id, id)`);
    // one at a time, however many processes open them
    this.addSql(
      `CREATE UNIQUE INDEX connector_syncs_open ON connector_syncs (connector_id) WHERE status IN ('queued', 'running')`,
    );
    this.addSql(`CREATE INDEX connector_syncs_due ON connector_syncs (wake_at) WHERE status IN ('queued', 'running')`);
    this.addSql(`
      CREATE TABLE connector_orders (
        connector_id uuid NOT NULL,
        external_id text COLLATE "C" NOT NULL,${TENANT},
        version timestamptz NOT NULL,
        day date NOT NULL,
        CONSTRAINT connector_orders_pkey PRIMARY KEY (connector_id, external_id),${tenantKeys('connector_orders')},${connectorKey('connector_orders')}
      )`);
    this.addSql(`
      CREATE TABLE connector_order_lines (
        connector_id uuid NOT NULL,
        external_id text COLLATE "C" NOT NULL,
        position int NOT NULL,${TENANT},
        unique_id text COLLATE "C" NOT NULL,
        day date NOT NULL,
        quantity float8 NOT NULL,
        CONSTRAINT connector_order_lines_pkey PRIMARY KEY (connector_id, external_id, position),${tenantKeys('connector_order_lines')},
        CONSTRAINT connector_order_lines_connector_id_external_id_foreign FOREIGN KEY (connector_id, external_id) REFERENCES connector_orders (connector_id, external_id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX connector_order_lines_demand ON connector_order_lines (workspace_id, unique_id, day)`);
    this.addSql(`
      CREATE TABLE connector_deliveries (
        id uuid NOT NULL,${TENANT},
        connector_id uuid NOT NULL,
        key text NOT NULL,
        topic text NOT NULL,
        body bytea,
        outcome text,
        attempts int NOT NULL DEFAULT 0,
        wake_at timestamptz(3) NOT NULL,
        received_at timestamptz(3) NOT NULL,
        processed_at timestamptz(3),
        CONSTRAINT connector_deliveries_pkey PRIMARY KEY (id),
        CONSTRAINT connector_deliveries_once UNIQUE (connector_id, key),${tenantKeys('connector_deliveries')},${connectorKey('connector_deliveries')}
      )`);
    this.addSql(`CREATE INDEX connector_deliveries_due ON connector_deliveries (wake_at) WHERE processed_at IS NULL`);
    for (const table of [
      'connectors',
      'connector_syncs',
      'connector_orders',
      'connector_order_lines',
      'connector_deliveries',
    ]) {
      for (const sql of workspacePolicy(table)) this.addSql(sql);
    }
  }
}

export const connectors = { name: '0060-connectors', class: Connectors };
