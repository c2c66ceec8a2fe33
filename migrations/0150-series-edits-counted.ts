import { Migration } from '@mikro-orm/migrations';

/** Edits of series count in `demand_version` from here on: those since the last scheduled run, which compared times, count once. */
class SeriesEditsCounted extends Migration {
  override up(): void {
    this.addSql(`
      UPDATE workspaces SET demand_version = workspaces.demand_version + 1
      FROM run_schedules AS schedule JOIN runs AS run ON run.id = schedule.last_run_id
      WHERE schedule.workspace_id = workspaces.id AND EXISTS (
        SELECT FROM series WHERE series.workspace_id = workspaces.id AND series.updated_at > run.created_at
      )`);
  }
}

export const seriesEditsCounted = { name: '0150-series-edits-counted', class: SeriesEditsCounted };
