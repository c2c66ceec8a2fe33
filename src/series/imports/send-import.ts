import type { FastifyReply } from 'fastify';
import { POLL_AFTER_SECONDS } from '../../platform/http/polling.js';
import type { Import } from './imports.queries.js';

/** Tells the client when to look again while the import is unfinished, and returns the body. */
export function sendImport(reply: FastifyReply, found: Import): Import {
  if (found.finished_at === null) void reply.header('retry-after', POLL_AFTER_SECONDS);
  return found;
}
