import { Migration } from '@mikro-orm/migrations';

/**
 * Orders of these platforms were counted wrongly, and a sync reads only what has changed since the one before: theirs begin at
 * the beginning once more. Who reads a page meanwhile loses the lease, or would store the old cursor behind it.
 */
class ConnectorsReadAnew extends Migration {
  override up(): void {
    this.addSql(`UPDATE connectors SET cursor = '{}' WHERE platform IN ('netsuite', 'bigcommerce', 'woocommerce')`);
    this.addSql(
      `UPDATE connector_syncs SET lease_epoch = lease_epoch + 1, lease_expires_at = NULL
       FROM connectors
       WHERE connectors.id = connector_id AND status = 'running' AND lease_expires_at IS NOT NULL
         AND platform IN ('netsuite', 'bigcommerce', 'woocommerce')`,
    );
  }
}

export const connectorsReadAnew = { name: '0123-connectors-read-anew', class: ConnectorsReadAnew };
