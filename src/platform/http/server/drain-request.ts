import type { IncomingMessage } from 'node:http';

/** Milliseconds that a reply waits for the rest of a body that no handler reads. */
const PATIENCE_MS = 2_000;

/**
 * Drains the rest of a request before its reply is sent, and reports whether it arrived completely. A proxy that gets its reply
 * earlier may reuse the connection although the rest of the body is still to come (HAProxy 2.6); the next request would then be
 * read as part of that body.
 */
export function drainRequest(request: IncomingMessage, done: (whole: boolean) => void): void {
  if (request.complete || request.destroyed) return done(request.complete);
  const end = (): void => {
    clearTimeout(late);
    request.off('end', end).off('close', end);
    done(request.complete);
  };
  const late = setTimeout(end, PATIENCE_MS);
  request.once('end', end).once('close', end).resume();
}
