import type { ClientBase } from 'pg';

export type SessionSettings = Readonly<Record<string, string>>;

/**
 * What our statements, and the reading of their replies, rely on, whatever has been set for the server, the database or the
 * role. `idle_in_transaction_session_timeout` is below the lease of a run: a process frozen inside a transaction must lose
 * its row locks before its work is taken over.
 */
const RELIED_ON: SessionSettings = {
  search_path: 'public',
  default_transaction_isolation: 'read committed',
  row_security: 'on',
  standard_conforming_strings: 'on',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  statement_timeout: '0',
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '4s',
};

/**
 * Puts a new session under the settings that the service relies on. By a statement, since poolers refuse or pass over what
 * comes with the start of a connection.
 * @param others in the place of those above, or beside them
 */
export async function settle(client: ClientBase, others: SessionSettings = {}): Promise<void> {
  const settings = { ...RELIED_ON, ...others };
  // those of newer servers are unknown to older ones; those of our own, with a dot, until they are set
  await client.query(
    `SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
     WHERE strpos(name, '.') > 0 OR current_setting(name, true) IS NOT NULL`,
    [Object.keys(settings), Object.values(settings)],
  );
}
