import { isNativeError } from 'node:util/types';
import { codeOf } from '../faults.js';

/** SQLSTATEs with which PostgreSQL refuses or ends a connection for transient reasons. */
const PASSING = new Set([
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: it is starting or stopping
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read_only_sql_transaction: the server is no longer the primary
]);
const INVALID_PASSWORD = '28P01';
/** SQLSTATEs with which it refuses every connection until an operator intervenes. */
const REFUSED = new Set([
  '28000', // invalid_authorization_specification: a role without LOGIN, a rule in pg_hba.conf
  INVALID_PASSWORD,
  '3D000', // invalid_catalog_name: the database is being restored
]);
/**
 * Likewise, if raised by `CheckMyDatabase`, the PostgreSQL function that admits a session. Raised elsewhere, they are errors of a
 * statement.
 */
const SHUT_OUT = new Set([
  '55000', // object_not_in_prerequisite_state: the database accepts no connections
  '42501', // insufficient_privilege: the role may not connect
]);
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL', // for ::1 on a system without IPv6: the error carries the code of the name's first address
]);
/** Of a file, unless raised by connecting. */
const NOT_CONNECTED = new Set(['ENOENT', 'EMFILE', 'ENFILE']);
/** node-postgres and its pool set no code on these errors. */
const MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;
const UNANSWERED = 'Query read timeout';

/** A lock was not granted within `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
/** A statement was canceled by `statement_timeout` or by an operator. */
const QUERY_CANCELED = '57014';
/** Transactions waited for each other; this one was canceled. */
const DEADLOCK_DETECTED = '40P01';
/** The database's disk is full. */
const DISK_FULL = '53100';
/** A row with the same unique values exists. */
const UNIQUE_VIOLATION = '23505';
/** A row references one that does not exist. */
const FOREIGN_KEY_VIOLATION = '23503';
/** Foreign keys to rows that may be deleted while a request is in progress. A violation of any other is a bug in the service. */
const OWNERS =
  /_(organization_id|workspace_id|series_id|import_id|connector_id|api_key_id|user_id|topic_id|post_id|author_id|reporter_id)_foreign$/;

/** Whether a statement timed out waiting for a lock. Nothing of its transaction was stored. */
export function isLockTimeout(fault: unknown): boolean {
  return codeOf(fault) === LOCK_NOT_AVAILABLE;
}

/** Whether a statement was canceled for taking too long. Nothing of its transaction was stored. */
export function isStatementTimeout(fault: unknown): boolean {
  return codeOf(fault) === QUERY_CANCELED;
}

/** Whether a transaction was canceled to resolve a deadlock. Nothing of it was stored, and it may be retried. */
export function isDeadlock(fault: unknown): boolean {
  return codeOf(fault) === DEADLOCK_DETECTED;
}

/** Whether the disk was full. Nothing of the transaction was stored, and it may be retried once there is space. */
export function isDiskFull(fault: unknown): boolean {
  return codeOf(fault) === DISK_FULL;
}

/** Whether a row was rejected because one with the same unique values exists. Nothing of the transaction was stored. */
export function isDuplicate(fault: unknown): boolean {
  return codeOf(fault) === UNIQUE_VIOLATION;
}

/** Whether a row was rejected because its owner (a workspace, a series …) has been deleted in the meantime. */
export function isOrphan(fault: unknown): fault is { readonly constraint: string } {
  if (codeOf(fault) !== FOREIGN_KEY_VIOLATION) return false;
  const { constraint } = fault as { readonly constraint?: unknown };
  return typeof constraint === 'string' && OWNERS.test(constraint);
}

/** Whether the database did not answer in time. The statement may have been executed, or may still be running. */
export function isUnanswered(fault: unknown): boolean {
  return isNativeError(fault) && fault.message === UNANSWERED;
}

/** Whether the Unix socket does not exist, as when the server is stopped, or this process may open no more connections. */
function isNotConnected(fault: Error): boolean {
  return NOT_CONNECTED.has(codeOf(fault)) && 'syscall' in fault && fault.syscall === 'connect';
}

/** Whether the database accepts no connections at all, or none of this role. */
function isShutOut(fault: unknown): boolean {
  const admits = isNativeError(fault) && 'routine' in fault && fault.routine === 'CheckMyDatabase';
  return admits && SHUT_OUT.has(codeOf(fault));
}

/** Whether the database refused the password. */
export function isWrongPassword(fault: unknown): boolean {
  return codeOf(fault) === INVALID_PASSWORD;
}

/** Whether the database refuses the service. Waiting helps only if an operator is working on it. */
export function isRefused(fault: unknown): boolean {
  return REFUSED.has(codeOf(fault)) || isShutOut(fault);
}

/** Whether the database was unreachable, out of connections or refusing them: not a bug, and worth retrying. */
export function isDatabaseUnavailable(fault: unknown): boolean {
  if (!isNativeError(fault)) return false; // not instanceof: under a test runner, network errors come from another realm
  const code = codeOf(fault);
  return (
    PASSING.has(code) ||
    isRefused(fault) ||
    code.startsWith('08') ||
    NETWORK.has(code) ||
    isNotConnected(fault) ||
    MESSAGES.test(fault.message) ||
    isUnanswered(fault)
  );
}
