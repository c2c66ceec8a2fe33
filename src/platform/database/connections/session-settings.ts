import type { ClientBase } from 'pg';
import { CONNECTION_PATIENCE_MS } from './connect.js';

export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Settings that our statements and the parsing of their results rely on, however the server, database or role is configured.
 * `idle_in_transaction_session_timeout` is shorter than the lease of a run: a process frozen inside a transaction must lose its row
 * locks before another takes over its work.
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
 * Applies the settings that the service relies on to a new session. With a statement, since poolers reject or ignore startup
 * parameters.
 * @param others further settings, which take precedence
 */
export async function settle(client: ClientBase, others: SessionSettings = {}): Promise<void> {
  const settings = { ...RELIED_ON, ...others };
  // older servers do not know all of them; custom settings, with a dot in the name, are unknown until first set
  await client.query({
    text: `SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
     WHERE strpos(name, '.') > 0 OR current_setting(name, true) IS NOT NULL`,
    values: [Object.keys(settings), Object.values(settings)],
    ...{ query_timeout: CONNECTION_PATIENCE_MS }, // in the types, only clients have it
  });
}
