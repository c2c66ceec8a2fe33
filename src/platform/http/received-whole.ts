import type { IncomingMessage } from 'node:http';

/** Milliseconds that a reply waits for the rest of a body that nobody reads any more. */
const PATIENCE = 2_000;

/**
 * Reads what is left of a request, and tells whether it has been received whole. A proxy that is answered before takes the
 * connection for free though the rest of the body is due on it (HAProxy 2.6), and the next request for that rest.
 */
export function receivedWhole(request: IncomingMessage, told: (whole: boolean) => void): void {
  if (request.complete || request.destroyed) return told(request.complete);
  const end = (): void => {
    clearTimeout(late);
    request.off('end', end).off('close', end);
    told(request.complete);
  };
  const late = setTimeout(end, PATIENCE);
  request.once('end', end).once('close', end).resume();
}
