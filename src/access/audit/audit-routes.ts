import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { negotiateReply } from '../../platform/http/replies/accept.js';
import { ApiPage } from '../../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { attachment, fileNameHeader } from '../../platform/http/replies/attachment.js';
import { linkNext } from '../../platform/http/pagination.js';
import type { UserCaller } from '../guard/caller.js';
import { auditCsv } from './audit-csv.js';
import type { HashedEvent } from './audit-event.js';
import { AuditEventBody, ChainReportBody, type ListAuditDto } from './audit.dto.js';
import type { AuditService } from './audit.service.js';

/** Documents the events of a log; the summary names it with `of`. */
export const ApiEvents = (of: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary: `List audit log events${of}`,
      description: 'Returns events newest first. With `Accept: text/csv`, returns CSV, and the log records the export.',
    }),
    ApiPage({
      description: 'The events.',
      headers: fileNameHeader('of CSV'),
      content: {
        'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(AuditEventBody) } } },
        'text/csv': {
          schema: {
            type: 'string',
            example:
              'sequence,occurred_at,actor_kind,actor_id,actor_name,address,action,target_kind,target_id,details,hash,id\r\n',
          },
        },
      },
    }),
    ApiInvalidRequest(),
    ApiProblem(406, 'The Accept header allows neither application/json nor text/csv.', ['not_acceptable']),
  );

/** Documents the verification of a log; the summary names it with `of`. */
export const ApiVerification = (of: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary: `Verify the audit log${of}`,
      description:
        'Recomputes every link of the hash chain and reports whether an event was changed, removed or inserted. The owner of the database could rewrite the whole chain; to detect that too, keep a copy of `last_hash` elsewhere.',
    }),
    ApiOkResponse({ type: ChainReportBody }),
  );

/** The routes of an audit log: an organization's, or the platform's. */
export abstract class AuditRoutes {
  constructor(protected readonly audit: AuditService) {}

  /**
   * Sends events in the format that the caller accepts.
   * @param organizationId the organization whose log it is; null for the platform's
   */
  protected async sendEvents(
    user: UserCaller,
    organizationId: string | null,
    query: ListAuditDto,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<readonly AuditEventBody[] | string> {
    const type = negotiateReply(request, reply, ['application/json', 'text/csv']);
    const page = await this.audit.list(organizationId, query);
    linkNext(request, reply, page.next);
    const items = page.items.map(eventBody);
    if (type === 'application/json') return items;
    if (request.method !== 'HEAD') {
      const sequences = items.map(({ sequence }) => sequence);
      await this.audit.noteExport(user, organizationId, query, sequences);
    }
    void reply.type('text/csv; charset=utf-8').header('content-disposition', attachment('audit-log.csv'));
    return auditCsv(items);
  }
}

function eventBody(event: HashedEvent): AuditEventBody {
  return {
    id: event.id,
    sequence: event.sequence,
    occurred_at: event.occurred_at,
    actor: { kind: event.actor_kind, id: event.actor_id, name: event.actor_name, address: event.address },
    action: event.action,
    target: { kind: event.target_kind, id: event.target_id },
    details: event.details,
    hash: event.hash.toString('hex'),
  };
}
