import { type Database, one } from '../../src/platform/database/database.js';

/** A table without disk space. */
export interface FullDisk {
  /** The number of attempts to write to it. */
  refusals(): Promise<number>;
  makeRoom(): Promise<void>;
}

/**
 * Makes the table reject writes with PostgreSQL's error for a full disk.
 * @param database connection of the table's owner
 * @param rows condition on NEW for the rows to reject
 */
export async function fillDisk(database: Database, table: string, rows = 'true'): Promise<FullDisk> {
  // a sequence also counts what is rolled back
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
      const count = 'SELECT CASE WHEN is_called THEN last_value ELSE 0 END::int AS count FROM refusals';
      return (await one<{ count: number }>(database, count)).count;
    },
    async makeRoom() {
      await database.execute('DROP FUNCTION refuse CASCADE');
      await database.execute('DROP SEQUENCE refusals');
    },
  };
}
