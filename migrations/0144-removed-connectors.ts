import { Migration } from '@mikro-orm/migrations';

/**
 * Removing a connector spent most of its time on foreign keys, row by row: two for each day of a series whose demand is retained, and one
 * for each order, to delete its lines. Retained demand is now deleted along with its series by the trigger that deletes the demand, and
 * lines along with their connector.
 *
 * The function plans its statements once a session, for the number of series of the first deletion. After that of a large workspace, or
 * while the tables are nearly empty, it would read all of a table for each later one. So it always looks rows up in an index.
 */
class RemovedConnectors extends Migration {
  override up(): void {
    this.addSql(`
      CREATE OR REPLACE FUNCTION remove_demand_of_series() RETURNS trigger LANGUAGE plpgsql
      SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
      BEGIN
        DELETE FROM demand WHERE series_id IN (SELECT id FROM removed);
        DELETE FROM connector_retired_demand AS retired USING removed
        WHERE retired.workspace_id = removed.workspace_id AND retired.unique_id = removed.unique_id;
        RETURN NULL;
      END $$`);
    this.addSql(`
      ALTER TABLE connector_retired_demand
        DROP CONSTRAINT connector_retired_demand_organization_id_foreign,
        DROP CONSTRAINT connector_retired_demand_workspace_id_foreign`);
    this.addSql(`
      ALTER TABLE connector_order_lines
        DROP CONSTRAINT connector_order_lines_connector_id_external_id_foreign,
        ADD CONSTRAINT connector_order_lines_connector_id_foreign
          FOREIGN KEY (connector_id) REFERENCES connectors (id) ON DELETE CASCADE`);
  }
}

export const removedConnectors = { name: '0144-removed-connectors', class: RemovedConnectors };
