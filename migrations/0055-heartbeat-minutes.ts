import { Migration } from '@mikro-orm/migrations';

/** Heartbeats are kept by the minute. One of before stood for five, and goes on doing so. */
class HeartbeatMinutes extends Migration {
  override up(): void {
    this.addSql(`
      INSERT INTO compliance_heartbeats (slot)
        SELECT slot + make_interval(mins => minute) FROM compliance_heartbeats CROSS JOIN generate_series(1, 4) AS minute
      ON CONFLICT DO NOTHING`);
  }
}

export const heartbeatMinutes = { name: '0055-heartbeat-minutes', class: HeartbeatMinutes };
