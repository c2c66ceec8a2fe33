import { Migration } from '@mikro-orm/migrations';

/** Under which name the metering service knows an organization. */
class Metering extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE billing_customers (
        organization_id uuid NOT NULL,
        stripe_customer_id text NOT NULL,
        CONSTRAINT billing_customers_pkey PRIMARY KEY (organization_id),
        CONSTRAINT billing_customers_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
  }
}

export const metering = { name: '0021-metering', class: Metering };
