import { Controller, Get, Injectable, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentTenant, type TenantCaller } from '../../../access/index.js';
import { PublicApi, WorkspaceRole } from '../../../platform/http/access-declaration.js';
import { SafetyStockDto, SafetyStockQueryDto } from '../../../safety-stock/index.js';
import { ApiForecastSeries } from '../api-results.js';
import { SafetyStockService } from './safety-stock.service.js';

/** Safety stock based on a run's forecasts. */
@Injectable()
abstract class SafetyStockRoutes {
  constructor(private readonly safetyStock: SafetyStockService) {}

  @Get(':series_id')
  @ApiOperation({
    summary: 'Get safety stock for a series',
    description:
      'Recommends a safety stock and a reorder point for the lead time, computed from the forecast and its cumulative backtest errors. ' +
      'See `assumptions` and `warnings` for what the figures rest on.',
  })
  @ApiForecastSeries()
  @ApiOkResponse({ type: SafetyStockDto })
  advise(
    @CurrentTenant() caller: TenantCaller,
    @Param('run_id') runId: string,
    @Param('series_id') seriesId: string,
    @Query() query: SafetyStockQueryDto,
  ): Promise<SafetyStockDto> {
    return this.safetyStock.advise(caller, runId, seriesId, query);
  }
}

@ApiTags('Safety stock')
@PublicApi()
@Controller('api/v1/runs/:run_id/safety-stock')
export class SafetyStockController extends SafetyStockRoutes {}

/** The same for signed-in members of the workspace. */
@ApiTags('Workspace runs')
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/runs/:run_id/safety-stock')
export class WorkspaceSafetyStockController extends SafetyStockRoutes {}
