import { codeOf } from '../../faults.js';
import { Problem } from '../problem.js';

const CODES = ['ECONNRESET', 'ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE'];

/** The problem for a body whose connection closed before its end (no one receives it); undefined for any other error. */
export function abortedBody(fault: unknown): Problem | undefined {
  const closed = CODES.includes(codeOf(fault));
  return closed
    ? new Problem(400, 'body_incomplete', 'The connection closed before the body was complete.')
    : undefined;
}
