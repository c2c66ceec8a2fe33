import { Controller, Get, Injectable, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentTenant, type TenantCaller } from '../../../access/index.js';
import { PublicApi, WorkspaceRole } from '../../../platform/http/access-declaration.js';
import { Paged } from '../../../platform/http/api-page.js';
import type { Page } from '../../../platform/http/pagination.js';
import { ApiRunResult } from '../api-results.js';
import { SeriesMetricsDto, SeriesMetricsQueryDto } from './series-metrics.dto.js';
import { SeriesMetricsService } from './series-metrics.service.js';

/** The metrics of a run by series. */
@Injectable()
abstract class SeriesMetricsRoutes {
  constructor(private readonly metrics: SeriesMetricsService) {}

  @Get()
  @ApiOperation({
    summary: 'List metrics by series',
    description:
      'Returns the backtest errors (as in `metrics` of the run), the model and the demand pattern of each series that the run forecast, ordered by unique_id. ' +
      'An error is null if the series is too short for a backtest or the denominator is zero. For skipped series, see `metrics.skipped` of the run.',
  })
  @ApiRunResult()
  @Paged({ type: [SeriesMetricsDto] })
  list(
    @CurrentTenant() caller: TenantCaller,
    @Param('run_id') runId: string,
    @Query() query: SeriesMetricsQueryDto,
  ): Promise<Page<SeriesMetricsDto>> {
    return this.metrics.list(caller, runId, query);
  }
}

@ApiTags('Forecasts')
@PublicApi()
@Controller('api/v1/runs/:run_id/series-metrics')
export class SeriesMetricsController extends SeriesMetricsRoutes {}

/** The same for signed-in members of the workspace. */
@ApiTags('Workspace runs')
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/runs/:run_id/series-metrics')
export class WorkspaceSeriesMetricsController extends SeriesMetricsRoutes {}
