import { Migration } from '@mikro-orm/migrations';

/** A schedule whose firing fails was tried every five seconds for ever; by this it is put off longer and longer. */
class ScheduleFailures extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE run_schedules ADD COLUMN failures smallint NOT NULL DEFAULT 0`);
  }
}

export const scheduleFailures = { name: '0100-schedule-failures', class: ScheduleFailures };
