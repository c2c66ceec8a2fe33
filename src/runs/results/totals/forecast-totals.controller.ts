import { Controller, Get, Injectable, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentTenant, type TenantCaller } from '../../../access/index.js';
import { ApiInvalidQuery, ApiProblem } from '../../../platform/http/api-problem.js';
import { PublicApi, WorkspaceRole } from '../../../platform/http/access-declaration.js';
import { ApiCompletedRun } from '../api-results.js';
import { ForecastTotalDto, ListTotalsDto } from './forecast-totals.dto.js';
import { ForecastTotalsService } from './forecast-totals.service.js';

/** Forecasts of the total demand of several series. */
@Injectable()
abstract class ForecastTotalsRoutes {
  constructor(private readonly totals: ForecastTotalsService) {}

  @Get()
  @ApiOperation({
    summary: 'List totals by category',
    description:
      'Returns forecasts of the total demand of each category, or of the workspace, by month: one row per category, unit and month, in this order. ' +
      'The quantiles are those of the total. The sum of the `q90` of its series is far above its `q90`, since the ups and downs of different series partly even out; how far they do is learned from the backtest of the run. ' +
      'A month includes only the series whose forecast reaches it.',
  })
  @ApiCompletedRun()
  @ApiInvalidQuery()
  @ApiProblem(404, 'The run does not exist.', ['not_found'])
  @ApiOkResponse({ type: [ForecastTotalDto] })
  list(
    @CurrentTenant() caller: TenantCaller,
    @Param('run_id') runId: string,
    @Query() query: ListTotalsDto,
  ): Promise<ForecastTotalDto[]> {
    return this.totals.list(caller, runId, query);
  }
}

@ApiTags('Forecasts')
@PublicApi()
@Controller('api/v1/runs/:run_id/totals')
export class ForecastTotalsController extends ForecastTotalsRoutes {}

/** The same for signed-in members of the workspace. */
@ApiTags('Workspace runs')
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/runs/:run_id/totals')
export class WorkspaceForecastTotalsController extends ForecastTotalsRoutes {}
