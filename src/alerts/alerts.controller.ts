import { Body, Controller, Get, Injectable, Param, Patch, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import type { Page } from '../platform/http/pagination.js';
import { AlertDto, AlertFilterDto, ListAlertsDto, MarkAlertDto } from './alerts.dto.js';
import { AlertsService } from './alerts.service.js';

/** Marks alerts, for keys and members alike. */
@Injectable()
abstract class AlertRoutes {
  constructor(protected readonly alerts: AlertsService) {}

  @Patch(':alert_id')
  @ApiOperation({
    summary: 'Mark an alert as read or unread',
    description: 'Marking an alert that is already read keeps the time at which it was first read.',
  })
  @ApiOkResponse({ type: AlertDto })
  @ApiInvalidRequest('The named fields of the body are invalid.')
  @ApiProblem(404, 'The alert does not exist.', ['not_found'])
  mark(
    @CurrentTenant() caller: TenantCaller,
    @Param('alert_id') alertId: string,
    @Body() body: MarkAlertDto,
  ): Promise<AlertDto> {
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
      'Returns alerts, newest first. Alerts are created when a run completes; a shift that several runs find is reported once. ' +
      'For a polling trigger, use `unread=true&since=<created_at of the newest alert already processed>`; no alert is missed, even if runs complete between polls.',
  })
  @Paged({ type: [AlertDto] })
  @ApiInvalidQuery()
  @ApiProblem(404, 'The workspace does not exist.', ['not_found'])
  list(@Caller() caller: ApiCaller, @Query() query: ListAlertsDto): Promise<Page<AlertDto>> {
    return this.alerts.list(caller, query);
  }
}

/** Alerts of a workspace, for signed-in members; viewers can read them. */
@ApiTags('Workspace runs')
@WorkspaceRole('member')
@Controller('workspaces/:workspace_id/alerts')
export class WorkspaceAlertsController extends AlertRoutes {
  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'List demand-shift alerts of a workspace',
    description: 'Same as `GET /api/v1/alerts`, for signed-in members.',
  })
  @Paged({ type: [AlertDto] })
  @ApiInvalidQuery()
  list(@CurrentMember() member: MemberCaller, @Query() query: AlertFilterDto): Promise<Page<AlertDto>> {
    return this.alerts.list(member, query);
  }
}
