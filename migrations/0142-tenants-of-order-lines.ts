import { Migration } from '@mikro-orm/migrations';

/**
 * A connector is of one workspace and that of one organization, which every query names as well. The planner took the three for
 * independent and expected next to no rows: the first order of each series was looked for among all lines of the connector.
 */
class TenantsOfOrderLines extends Migration {
  override up(): void {
    this.addSql(`
      CREATE STATISTICS connector_order_lines_tenants (dependencies)
        ON organization_id, workspace_id, connector_id FROM connector_order_lines`);
    this.addSql(`ANALYZE connector_order_lines`);
  }
}

export const tenantsOfOrderLines = { name: '0142-tenants-of-order-lines', class: TenantsOfOrderLines };
