import { isNativeError } from 'node:util/types';
import { codeOf } from '../faults.js';

/** SQLSTATEs with which PostgreSQL turns a connection away or ends it for reasons that pass. */
const PASSING = new Set([
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: it is starting or stopping
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read_only_sql_transaction: the connection leads to what has been the primary
]);
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** node-postgres and its pool give these no code of their own. */
const MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;

/** A lock was not had within `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
/** A statement was broken off, for its `statement_timeout` or by an operator. */
const QUERY_CANCELED = '57014';
/** Of transactions that wait for each other one is broken off. */
const DEADLOCK_DETECTED = '40P01';
/** The database's file system has no room to store what was sent. */
const DISK_FULL = '53100';
/** What a row refers to is not there. */
const FOREIGN_KEY_VIOLATION = '23503';
/** Foreign keys to rows that somebody may delete while a request is under way. A violation of any other is a defect of ours. */
const OWNERS =
  /_(organization_id|workspace_id|series_id|import_id|connector_id|api_key_id|user_id|created_by|topic_id|post_id|author_id|reporter_id)_foreign$/;

/** Whether a statement gave up waiting for others: nothing of its transaction is stored. */
export function isLockedOut(fault: unknown): boolean {
  return codeOf(fault) === LOCK_NOT_AVAILABLE;
}

/** Whether a statement was broken off for the time it took: nothing of its transaction is stored. */
export function isOutOfTime(fault: unknown): boolean {
  return codeOf(fault) === QUERY_CANCELED;
}

/** Whether a transaction was broken off for the sake of another: nothing of it is stored, and it may be repeated. */
export function isDeadlock(fault: unknown): boolean {
  return codeOf(fault) === DEADLOCK_DETECTED;
}

/** Whether there was no room to store it: nothing of the transaction is stored, and it may be repeated once there is. */
export function isDiskFull(fault: unknown): boolean {
  return codeOf(fault) === DISK_FULL;
}

/** Whether what was to be stored belongs to something that has been deleted since it was looked up. */
export function isOrphan(fault: unknown): fault is { readonly constraint: string } {
  if (codeOf(fault) !== FOREIGN_KEY_VIOLATION) return false;
  const { constraint } = fault as { readonly constraint?: unknown };
  return typeof constraint === 'string' && OWNERS.test(constraint);
}

/** Whether the fault is that the database, or a free connection to it, was not to be had: worth repeating, no defect. */
export function isDatabaseAway(fault: unknown): boolean {
  if (!isNativeError(fault)) return false; // not instanceof: errors of the network come from another realm under a test runner
  const code = codeOf(fault);
  return PASSING.has(code) || code.startsWith('08') || NETWORK.has(code) || MESSAGES.test(fault.message);
}
