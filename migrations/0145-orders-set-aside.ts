import { Migration } from '@mikro-orm/migrations';
import { workspacePolicy } from './tenant-policies.js';

/** Orders of connected shops that could not be read, which stopped the syncs of their shop. */
class OrdersSetAside extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE connector_orders_set_aside (
        connector_id uuid NOT NULL,
        external_id text COLLATE "C" NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        code text NOT NULL,
        message text NOT NULL,
        since timestamptz(3) NOT NULL,
        tried_at timestamptz(3) NOT NULL,
        CONSTRAINT connector_orders_set_aside_pkey PRIMARY KEY (connector_id, external_id),
        CONSTRAINT connector_orders_set_aside_connector_id_foreign FOREIGN KEY (connector_id) REFERENCES connectors (id) ON DELETE CASCADE
      )`);
    for (const sql of workspacePolicy('connector_orders_set_aside')) this.addSql(sql);
    this.addSql(`ALTER TABLE connector_syncs ADD COLUMN orders_set_aside int NOT NULL DEFAULT 0`);
  }
}

export const ordersSetAside = { name: '0145-orders-set-aside', class: OrdersSetAside };
