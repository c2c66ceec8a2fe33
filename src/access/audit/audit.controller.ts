import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { OrganizationRole } from '../../platform/http/access-declaration.js';
import { ApiPage } from '../../platform/http/api-page.js';
import { ApiInvalidRequest } from '../../platform/http/api-problem.js';
import { STANDARD_PAGE } from '../../platform/http/page-query.js';
import { decodeCursor, sendPage, toPage } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { CurrentMember, type MemberCaller } from '../guard/caller.js';
import type { AuditEvent } from './audit-event.js';
import { auditCsv } from './audit-csv.js';
import { AuditEventBody, ChainReportBody, ListAuditDto } from './audit.dto.js';
import { type ChainReport, verifyAuditChain } from './audit-log.js';
import { listEvents } from './audit.queries.js';
import { recordAuditBy } from './record-by.js';

@ApiTags('Audit log')
@ApiExtraModels(AuditEventBody)
@ApiParam({ name: 'org_id', format: 'uuid' })
@OrganizationRole('admin')
@Controller('orgs/:org_id/audit-log')
export class AuditController {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read the audit log',
    description: 'Newest first, filtered and paged; with `Accept: text/csv` as CSV, which the log notes as an export.',
  })
  @ApiPage({
    description: 'The events.',
    content: {
      'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(AuditEventBody) } } },
      'text/csv': { schema: { type: 'string' } },
    },
  })
  @ApiInvalidRequest()
  async list(
    @CurrentMember() caller: MemberCaller,
    @Query() query: ListAuditDto,
    @Headers('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly AuditEventBody[] | string> {
    const limit = query.limit ?? STANDARD_PAGE.default;
    const events = await listEvents(this.database, caller.organizationId, {
      ...(query.action === undefined ? {} : { action: query.action }),
      ...(query.actor_id === undefined ? {} : { actorId: query.actor_id }),
      ...(query.from === undefined ? {} : { from: query.from }),
      ...(query.to === undefined ? {} : { to: query.to }),
      ...(query.cursor === undefined ? {} : { before: sequenceOf(query.cursor) }),
      limit: limit + 1,
    });
    const page = toPage(events.map(eventBody), limit, (event) => [String(event.sequence)]);
    const items = sendPage(request, reply, page);
    if (accept?.includes('text/csv') !== true) return items;
    await this.noteExport(caller, items.length);
    void reply.type('text/csv; charset=utf-8');
    return auditCsv(items);
  }

  @Get('verification')
  @ApiOperation({
    summary: 'Check the audit log',
    description: 'Recomputes every link of the chain: tells whether an event was changed, removed or put in.',
  })
  @ApiOkResponse({ type: ChainReportBody })
  verify(@CurrentMember() caller: MemberCaller): Promise<ChainReport> {
    return verifyAuditChain(this.database, caller.organizationId);
  }

  private async noteExport(caller: MemberCaller, events: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.transaction((tx) =>
      recordAuditBy(tx, caller, {
        action: 'audit_log.exported',
        target: { kind: 'organization', id: organizationId },
        details: { events },
        occurredAt: this.clock.now(),
      }),
    );
  }
}

function sequenceOf(cursor: string): number {
  const sequence = Number(decodeCursor(cursor, ['integer'])[0]);
  if (Number.isInteger(sequence) && sequence > 0 && sequence < 2 ** 31) return sequence;
  throw Problem.invalid([{ param: 'cursor', message: 'must be a cursor taken from a Link header of this list' }]);
}

function eventBody(event: AuditEvent): AuditEventBody {
  return {
    id: event.id,
    sequence: event.sequence,
    occurred_at: event.occurred_at.toISOString(),
    actor: { kind: event.actor_kind, id: event.actor_id, name: event.actor_name, address: event.address },
    action: event.action,
    target: { kind: event.target_kind, id: event.target_id },
    details: event.details,
  };
}
