import { Controller, Get, Injectable, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentTenant, type TenantCaller } from '../../access/index.js';
import { PublicApi, WorkspaceRole } from '../../platform/http/access-declaration.js';
import { ApiInvalidQuery, ApiProblem } from '../../platform/http/api-problem.js';
import { ApiCompletedRun } from './api-results.js';
import { ForecastAccuracyDto, ForecastAccuracyQueryDto } from './forecast-accuracy.dto.js';
import { ForecastAccuracyService } from './forecast-accuracy.service.js';

/** How the forecasts of a run turned out. */
@Injectable()
abstract class ForecastAccuracyRoutes {
  constructor(private readonly accuracy: ForecastAccuracyService) {}

  @Get()
  @ApiOperation({
    summary: 'Read how the forecasts of a run turned out',
    description:
      'Compares the forecasts with the demand that has been stored since: of the months of the run that are over, those with demand count, but for a last one whose last days are clearly still to be uploaded. The metrics are those of the backtest (`metrics` of the run), ' +
      'here of the forecasts themselves (of a run with a `cutoff` in the past, as they would have been). `overrides` tells whether the corrections of planners made them better. It is computed anew at each call, so later corrections of demand count. ' +
      'Null and 0 while no month of the run is over.',
  })
  @ApiCompletedRun()
  @ApiOkResponse({ type: ForecastAccuracyDto })
  @ApiInvalidQuery()
  @ApiProblem(404, 'There is no such run, or no such series.', ['not_found'])
  read(
    @CurrentTenant() caller: TenantCaller,
    @Param('run_id') runId: string,
    @Query() query: ForecastAccuracyQueryDto,
  ): Promise<ForecastAccuracyDto> {
    return this.accuracy.read(caller, runId, query);
  }
}

@ApiTags('Forecasts')
@PublicApi()
@Controller('api/v1/runs/:run_id/accuracy')
export class ForecastAccuracyController extends ForecastAccuracyRoutes {}

/** The same for signed-in members of the workspace. */
@ApiTags('Workspace runs')
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/runs/:run_id/accuracy')
export class WorkspaceForecastAccuracyController extends ForecastAccuracyRoutes {}
