import { Body, Controller, Get, Injectable, Param, Patch, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  type ApiCaller,
  Caller,
  CurrentMember,
  CurrentTenant,
  type MemberCaller,
  type TenantCaller,
} from '../access/index.js';
import { PublicApi, WorkspaceRole } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import { EXAMPLE_ID } from '../platform/http/example-ids.js';
import type { Page } from '../platform/http/pagination.js';
import { AlertDto, AlertFilterDto, ListAlertsDto, MarkAlertDto } from './alerts.dto.js';
import type { Alert } from './alerts.queries.js';
import { AlertsService } from './alerts.service.js';

/** Marking alerts, for keys and members alike. */
@Injectable()
abstract class AlertRoutes {
  constructor(protected readonly alerts: AlertsService) {}

  @Patch(':alert_id')
  @ApiParam({ name: 'alert_id', format: 'uuid', example: EXAMPLE_ID.alert })
  @ApiOperation({
    summary: 'Mark an alert as read or unread',
    description: 'Repeating it changes nothing: the time of the first reading stays.',
  })
  @ApiOkResponse({ type: AlertDto })
  @ApiInvalidRequest('The body is wrong in the named fields.')
  @ApiProblem(404, 'There is no such alert.', ['not_found'])
  mark(
    @CurrentTenant() caller: TenantCaller,
    @Param('alert_id') alertId: string,
    @Body() body: MarkAlertDto,
  ): Promise<Alert> {
    return this.alerts.mark(caller, alertId, body.read);
  }
}

@ApiTags('Alerts')
@PublicApi()
@Controller('api/v1/alerts')
export class AlertsController extends AlertRoutes {
  @Get()
  @ApiOperation({
    summary: 'List demand-shift alerts',
    description:
      'Newest first. Alerts are written when a run completes; a shift that several runs find is reported once. ' +
      'As a polling trigger: `unread=true&since=<created_at of the newest alert told before>`; nothing is missed, whatever completes meanwhile.',
  })
  @Paged({ type: [AlertDto] })
  @ApiInvalidQuery()
  @ApiProblem(404, 'There is no such workspace.', ['not_found'])
  list(@Caller() caller: ApiCaller, @Query() query: ListAlertsDto): Promise<Page<Alert>> {
    return this.alerts.list(caller, query);
  }
}

/** Alerts of a workspace for signed-in members; viewers read. */
@ApiTags('Workspace runs')
@WorkspaceRole('member')
@Controller('workspaces/:workspace_id/alerts')
export class WorkspaceAlertsController extends AlertRoutes {
  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'List the demand-shift alerts of a workspace',
    description: 'As GET /api/v1/alerts, for signed-in members.',
  })
  @Paged({ type: [AlertDto] })
  @ApiInvalidQuery()
  list(@CurrentMember() member: MemberCaller, @Query() query: AlertFilterDto): Promise<Page<Alert>> {
    return this.alerts.list(member, query);
  }
}
