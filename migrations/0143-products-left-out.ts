import { Migration } from '@mikro-orm/migrations';
import { workspacePolicy } from './tenant-policies.js';

/** Products of connected shops that have no series yet, because the plan allows no more. */
class ProductsLeftOut extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE connector_products_left_out (
        connector_id uuid NOT NULL,
        unique_id text COLLATE "C" NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        product_name text,
        CONSTRAINT connector_products_left_out_pkey PRIMARY KEY (connector_id, unique_id),
        CONSTRAINT connector_products_left_out_connector_id_foreign FOREIGN KEY (connector_id) REFERENCES connectors (id) ON DELETE CASCADE
      )`);
    for (const sql of workspacePolicy('connector_products_left_out')) this.addSql(sql);
    this.addSql(`ALTER TABLE connector_syncs ADD COLUMN products_left_out int NOT NULL DEFAULT 0`);
  }
}

export const productsLeftOut = { name: '0143-products-left-out', class: ProductsLeftOut };
