import { Migration } from '@mikro-orm/migrations';

/** How much waits of one connector is limited, and its next delivery was looked for among those of all. */
class WaitingDeliveries extends Migration {
  override up(): void {
    this.addSql(
      'CREATE INDEX connector_deliveries_waiting ON connector_deliveries (connector_id, wake_at) WHERE processed_at IS NULL',
    );
  }
}

export const waitingDeliveries = { name: '0146-waiting-deliveries', class: WaitingDeliveries };
