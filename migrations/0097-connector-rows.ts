import { Migration } from '@mikro-orm/migrations';

/** Their rows go with the connector by a foreign key of their own: those to its workspace and organization only cost a look-up. */
const OF_CONNECTOR = ['connector_syncs', 'connector_orders', 'connector_order_lines', 'connector_deliveries'];

class ConnectorRows extends Migration {
  override up(): void {
    for (const table of OF_CONNECTOR) {
      this.addSql(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_organization_id_foreign`);
      this.addSql(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_workspace_id_foreign`);
    }
  }
}

export const connectorRows = { name: '0097-connector-rows', class: ConnectorRows };
