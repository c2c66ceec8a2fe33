import { Migration } from '@mikro-orm/migrations';

/**
 * Since when it is unknown whether the metering service has an event. Of those tried so far nothing is known: the earliest is taken, so
 * that an operator decides and no customer pays twice.
 */
class UnsureMeterEvents extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE meter_events ADD COLUMN unsure_since timestamptz(3) NULL');
    this.addSql(`UPDATE meter_events SET unsure_since = occurred_at WHERE status = 'pending' AND attempts > 0`);
  }
}

export const unsureMeterEvents = { name: '0132-unsure-meter-events', class: UnsureMeterEvents };
