import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrganizationRole } from '../../platform/http/access-declaration.js';
import { negotiate } from '../../platform/http/accept.js';
import { ApiPage } from '../../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { attachment, fileNameHeader } from '../../platform/http/attachment.js';
import { sendPage, mapPage } from '../../platform/http/pagination.js';
import { CurrentMember, type MemberCaller } from '../guard/caller.js';
import type { HashedEvent } from './audit-event.js';
import { auditCsv } from './audit-csv.js';
import { AuditEventBody, ChainReportBody, ListAuditDto } from './audit.dto.js';
import type { ChainReport } from './audit-log.js';
import { AuditService } from './audit.service.js';

@ApiTags('Audit log')
@ApiExtraModels(AuditEventBody)
@OrganizationRole('admin')
@Controller('orgs/:org_id/audit-log')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @ApiOperation({
    summary: 'Read the audit log',
    description: 'Newest first, filtered and paged; with `Accept: text/csv` as CSV, which the log notes as an export.',
  })
  @ApiPage({
    description: 'The events.',
    headers: fileNameHeader('of CSV'),
    content: {
      'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(AuditEventBody) } } },
      'text/csv': {
        schema: {
          type: 'string',
          example:
            'sequence,occurred_at,actor_kind,actor_id,actor_name,address,action,target_kind,target_id,details,hash\r\n',
        },
      },
    },
  })
  @ApiInvalidRequest()
  @ApiProblem(406, 'Neither application/json nor text/csv is accepted.', ['not_acceptable'])
  async list(
    @CurrentMember() caller: MemberCaller,
    @Query() query: ListAuditDto,
    @Headers('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly AuditEventBody[] | string> {
    const type = negotiate(accept, ['application/json', 'text/csv']);
    const events = await this.audit.list(caller.organizationId, query);
    const items = sendPage(request, reply, mapPage(events, eventBody));
    if (type === 'application/json') return items;
    if (request.method !== 'HEAD') await this.audit.noteExport(caller, items.length);
    void reply.type('text/csv; charset=utf-8').header('content-disposition', attachment('audit-log.csv'));
    return auditCsv(items);
  }

  @Get('verification')
  @ApiOperation({
    summary: 'Check the audit log',
    description:
      'Recomputes every link of the chain: tells whether an event was changed, removed or put in. Who owns the database can write a whole chain anew: `last_hash`, kept elsewhere, shows that too.',
  })
  @ApiOkResponse({ type: ChainReportBody })
  verify(@CurrentMember() caller: MemberCaller): Promise<ChainReport> {
    return this.audit.verify(caller.organizationId);
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
