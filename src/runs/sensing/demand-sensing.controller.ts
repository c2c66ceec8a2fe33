import { Controller, Get, Injectable, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentTenant, type TenantCaller } from '../../access/index.js';
import { PublicApi, WorkspaceRole } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import type { Page } from '../../platform/http/pagination.js';
import { ApiRunResult } from '../results/api-results.js';
import { DemandSensingQueryDto, SensedDemandDto } from './demand-sensing.dto.js';
import { DemandSensingService } from './demand-sensing.service.js';

/** The current month. */
@Injectable()
abstract class DemandSensingRoutes {
  constructor(private readonly sensing: DemandSensingService) {}

  @Get()
  @ApiOperation({
    summary: 'Get demand sensing results',
    description:
      "Returns, for each series, the run's forecast of the month in progress blended with the demand of the month so far, ordered by unique_id. " +
      'Series whose forecast does not reach the month in progress are omitted. A missing month is not zero: a series ' +
      'without a row in the month keeps its prior, with weight 0. The exception is a series with daily demand in one of the three months ' +
      'before, once other series have days in the month in progress: it is taken to have sold nothing. New demand counts immediately; ' +
      'how months build up over the whole workspace is learned again from new uploads within five minutes.',
  })
  @ApiRunResult()
  @Paged({ type: [SensedDemandDto] })
  read(
    @CurrentTenant() caller: TenantCaller,
    @Param('run_id') runId: string,
    @Query() query: DemandSensingQueryDto,
  ): Promise<Page<SensedDemandDto>> {
    return this.sensing.sense(caller, runId, query);
  }
}

@ApiTags('Demand sensing')
@PublicApi()
@Controller('api/v1/runs/:run_id/demand-sensing')
export class DemandSensingController extends DemandSensingRoutes {}

/** The same for signed-in members of the workspace. */
@ApiTags('Workspace runs')
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/runs/:run_id/demand-sensing')
export class WorkspaceDemandSensingController extends DemandSensingRoutes {}
