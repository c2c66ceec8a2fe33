import { Controller, Get, Injectable, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentTenant, type TenantCaller } from '../../../access/index.js';
import { PublicApi, WorkspaceRole } from '../../../platform/http/access-declaration.js';
import { ApiRunResult } from '../api-results.js';
import { ForecastAccuracyDto, ForecastAccuracyQueryDto } from './forecast-accuracy.dto.js';
import { ForecastAccuracyService } from './forecast-accuracy.service.js';

/** The accuracy of a run's forecasts against actual demand. */
@Injectable()
abstract class ForecastAccuracyRoutes {
  constructor(private readonly accuracy: ForecastAccuracyService) {}

  @Get()
  @ApiOperation({
    summary: 'Get the accuracy of a run',
    description:
      'Compares the forecasts of the run with the demand stored since. It includes months that are over and have demand, except a last month whose last days are clearly not uploaded yet. The metrics are the same as in the backtest (`metrics` of the run), ' +
      'but for the actual forecasts (for a run with a `cutoff` in the past, as they would have been). `overrides` shows whether manual overrides improved them. The result is computed on each request, so later corrections to demand are reflected. ' +
      'Metrics are null and counts are 0 until a month of the run is over.',
  })
  @ApiRunResult()
  @ApiOkResponse({ type: ForecastAccuracyDto })
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
