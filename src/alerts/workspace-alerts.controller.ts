import { Body, Controller, Get, Param, Patch, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentMember, type MemberCaller } from '../access/index.js';
import { WorkspaceRole } from '../platform/http/access-declaration.js';
import { ApiPage } from '../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest } from '../platform/http/api-problem.js';
import { EXAMPLE_ID } from '../platform/http/example-ids.js';
import { sendPage } from '../platform/http/pagination.js';
import { AlertDto, AlertFilterDto, MarkAlertDto } from './alerts.dto.js';
import type { Alert } from './alerts.queries.js';
import { AlertsService } from './alerts.service.js';

/** Alerts of a workspace for signed-in members. */
@ApiTags('Workspace runs')
@Controller('workspaces/:workspace_id/alerts')
export class WorkspaceAlertsController {
  constructor(private readonly alerts: AlertsService) {}

  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'List the demand-shift alerts of a workspace',
    description: 'As GET /api/v1/alerts, for signed-in members.',
  })
  @ApiPage({ type: [AlertDto] })
  @ApiInvalidQuery()
  async list(
    @CurrentMember() member: MemberCaller,
    @Query() query: AlertFilterDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly Alert[]> {
    return sendPage(request, reply, await this.alerts.list(member, query));
  }

  @Patch(':alert_id')
  @WorkspaceRole('member')
  @ApiParam({ name: 'alert_id', format: 'uuid', example: EXAMPLE_ID.alert })
  @ApiOperation({
    summary: 'Mark an alert of a workspace as read or unread',
    description: 'As PATCH /api/v1/alerts/{alert_id}, for signed-in members.',
  })
  @ApiOkResponse({ type: AlertDto })
  @ApiInvalidRequest('The body is wrong in the named fields.')
  mark(
    @CurrentMember() member: MemberCaller,
    @Param('alert_id') alertId: string,
    @Body() body: MarkAlertDto,
  ): Promise<Alert> {
    return this.alerts.mark(member, alertId, body.read);
  }
}
