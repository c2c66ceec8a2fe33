import { Migration } from '@mikro-orm/migrations';
import { workspacePolicy } from './tenant-policies.js';

const host = (setting: string): string => `regexp_replace(settings->>'${setting}', '^https?://', '')`;

/** Which account a connector reads, once a workspace; and the demand of connectors that were removed. */
class ConnectorAccounts extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE connectors ADD COLUMN account text`);
    this.addSql(`
      UPDATE connectors SET account = CASE WHEN named.nth = 1 THEN named.account ELSE named.account || ' ' || named.id END
      FROM (
        SELECT id, account, row_number() OVER (PARTITION BY workspace_id, platform, account ORDER BY id) AS nth
        FROM (
          SELECT id, workspace_id, platform, lower(coalesce(CASE platform
            WHEN 'shopify' THEN settings->>'shop'
            WHEN 'woocommerce' THEN ${host('site_url')}
            WHEN 'bigcommerce' THEN settings->>'store_hash'
            WHEN 'quickbooks' THEN settings->>'realm_id'
            WHEN 'xero' THEN settings->>'tenant_id'
            WHEN 'odoo' THEN concat_ws(' ', ${host('url')}, settings->>'database')
            WHEN 'business_central' THEN
              concat_ws(' ', settings->>'tenant_id', settings->>'environment', settings->>'company_id')
            WHEN 'netsuite' THEN settings->>'account_id'
          END, id::text)) AS account
          FROM connectors
        ) AS spelled
      ) AS named
      WHERE named.id = connectors.id`);
    this.addSql(`ALTER TABLE connectors ALTER COLUMN account SET NOT NULL`);
    this.addSql(
      `ALTER TABLE connectors ADD CONSTRAINT connectors_account_once UNIQUE (workspace_id, platform, account)`,
    );
    this.addSql(`
      CREATE TABLE connector_retired_demand (
        workspace_id uuid NOT NULL,
        unique_id text COLLATE "C" NOT NULL,
        day date NOT NULL,
        platform text NOT NULL,
        account text NOT NULL,
        organization_id uuid NOT NULL,
        quantity float8 NOT NULL,
        CONSTRAINT connector_retired_demand_pkey PRIMARY KEY (workspace_id, unique_id, day, platform, account),
        CONSTRAINT connector_retired_demand_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT connector_retired_demand_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`);
    for (const sql of workspacePolicy('connector_retired_demand')) this.addSql(sql);
    // the first order of each series of a connector, without reading them all
    this.addSql(`CREATE INDEX connector_order_lines_first ON connector_order_lines (connector_id, unique_id, day)`);
  }
}

export const connectorAccounts = { name: '0077-connector-accounts', class: ConnectorAccounts };
