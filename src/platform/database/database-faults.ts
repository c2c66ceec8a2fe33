import { isNativeError } from 'node:util/types';
import { codeOf } from '../faults.js';

/** SQLSTATEs with which PostgreSQL refuses or ends a connection for reasons that pass. */
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
/** SQLSTATEs with which it opens no connection until an operator lets the service in again. */
const REFUSED = new Set([
  '28000', // invalid_authorization_specification: a role that may not sign in, a rule of pg_hba.conf
  INVALID_PASSWORD,
  '3D000', // invalid_catalog_name: the database is being restored
]);
/** The same of PostgreSQL's function that admits a session, `CheckMyDatabase`. Of others they are faults of a statement. */
const SHUT_OUT = new Set([
  '55000', // object_not_in_prerequisite_state: the database takes no connections
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
  'EADDRNOTAVAIL', // of ::1 where the system has no IPv6: the first of a name's addresses tells the code
]);
/** node-postgres and its pool give these no code of their own. */
const MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;
const UNANSWERED = 'Query read timeout';

/** A lock was not granted within `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
/** A statement was canceled, by its `statement_timeout` or by an operator. */
const QUERY_CANCELED = '57014';
/** Transactions waited for each other, and this one was canceled. */
const DEADLOCK_DETECTED = '40P01';
/** The database's disk is full. */
const DISK_FULL = '53100';
/** There is a row of the same unique values. */
const UNIQUE_VIOLATION = '23505';
/** A row refers to one that does not exist. */
const FOREIGN_KEY_VIOLATION = '23503';
/** Foreign keys to rows that may be deleted while a request is under way. The violation of any other is a defect of ours. */
const OWNERS =
  /_(organization_id|workspace_id|series_id|import_id|connector_id|api_key_id|user_id|topic_id|post_id|author_id|reporter_id)_foreign$/;

/** Whether a statement gave up waiting for a lock. Nothing of its transaction is stored. */
export function isLockedOut(fault: unknown): boolean {
  return codeOf(fault) === LOCK_NOT_AVAILABLE;
}

/** Whether a statement was canceled for taking too long. Nothing of its transaction is stored. */
export function isOutOfTime(fault: unknown): boolean {
  return codeOf(fault) === QUERY_CANCELED;
}

/** Whether a transaction was canceled to end a deadlock. Nothing of it is stored, and it may be repeated. */
export function isDeadlock(fault: unknown): boolean {
  return codeOf(fault) === DEADLOCK_DETECTED;
}

/** Whether the disk was full. Nothing of the transaction is stored, and it may be repeated once there is room. */
export function isDiskFull(fault: unknown): boolean {
  return codeOf(fault) === DISK_FULL;
}

/** Whether a row could not be stored because there is one of the same unique values. Nothing of the transaction is stored. */
export function isDuplicate(fault: unknown): boolean {
  return codeOf(fault) === UNIQUE_VIOLATION;
}

/** Whether a row could not be stored because its owner (a workspace, a series …) was deleted meanwhile. */
export function isOrphan(fault: unknown): fault is { readonly constraint: string } {
  if (codeOf(fault) !== FOREIGN_KEY_VIOLATION) return false;
  const { constraint } = fault as { readonly constraint?: unknown };
  return typeof constraint === 'string' && OWNERS.test(constraint);
}

/** Whether the database did not answer in time. What was sent may have been done, or be under way. */
export function isUnanswered(fault: unknown): boolean {
  return isNativeError(fault) && fault.message === UNANSWERED;
}

/** Whether there is no such Unix socket, as of a server that is stopped. */
function isSocketGone(fault: Error): boolean {
  return codeOf(fault) === 'ENOENT' && 'syscall' in fault && fault.syscall === 'connect';
}

/** Whether the database takes no connections at all, or none of this role. */
function isShutOut(fault: unknown): boolean {
  const admits = isNativeError(fault) && 'routine' in fault && fault.routine === 'CheckMyDatabase';
  return admits && SHUT_OUT.has(codeOf(fault));
}

/** Whether the database refused the password. */
export function isWrongPassword(fault: unknown): boolean {
  return codeOf(fault) === INVALID_PASSWORD;
}

/** Whether the database lets the service in no more. Waiting mends it where an operator is at work on it. */
export function isRefused(fault: unknown): boolean {
  return REFUSED.has(codeOf(fault)) || isShutOut(fault);
}

/** Whether the database could not be reached, had no free connection or let nobody in: no defect, and worth repeating. */
export function isDatabaseAway(fault: unknown): boolean {
  if (!isNativeError(fault)) return false; // not instanceof: under a test runner network errors come from another realm
  const code = codeOf(fault);
  return (
    PASSING.has(code) ||
    isRefused(fault) ||
    code.startsWith('08') ||
    NETWORK.has(code) ||
    isSocketGone(fault) ||
    MESSAGES.test(fault.message) ||
    isUnanswered(fault)
  );
}
