import type { FastifyReply } from 'fastify';
import { POLL_AFTER_SECONDS } from '../../platform/http/polling.js';
import type { ImportDto } from '../dto/import.dto.js';

/** Sends an import, with Retry-After while it is unfinished. */
export function sendImport(reply: FastifyReply, found: ImportDto): ImportDto {
  if (found.finished_at === null) void reply.header('retry-after', POLL_AFTER_SECONDS);
  return found;
}
