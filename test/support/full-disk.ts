import type { Database } from '../../src/platform/database/database.js';

/** A table that has no room, as on a full disk. */
export interface FullDisk {
  /** How often something was to be stored in it. */
  refusals(): Promise<number>;
  makeRoom(): Promise<void>;
}

/**
 * Has the table refuse what is stored in it by the fault that PostgreSQL tells of a full disk.
 * @param database as the owner of the table
 * @param rows which find no room, as a condition on NEW
 */
export async function fillDisk(database: Database, table: string, rows = 'true'): Promise<FullDisk> {
  // a sequence counts what is rolled back, too
  await database.execute('CREATE SEQUENCE refusals');
  await database.execute(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
     BEGIN
       PERFORM nextval('public.refusals');
       RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
     END $$`,
  );
  await database.execute(
    `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW WHEN (${rows}) EXECUTE FUNCTION refuse()`,
  );
  return {
    async refusals() {
      const [row] = await database.query<{ count: number }>(
        'SELECT CASE WHEN is_called THEN last_value ELSE 0 END::int AS count FROM refusals',
      );
      return row!.count;
    },
    async makeRoom() {
      await database.execute('DROP FUNCTION refuse CASCADE');
      await database.execute('DROP SEQUENCE refusals');
    },
  };
}
