import { Controller, Get, Injectable, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentTenant, type TenantCaller } from '../../../access/index.js';
import { PublicApi, WorkspaceRole } from '../../../platform/http/access-declaration.js';
import { ApiPage } from '../../../platform/http/api-page.js';
import { ApiInvalidQuery, ApiProblem } from '../../../platform/http/api-problem.js';
import { linkNext } from '../../../platform/http/pagination.js';
import { negotiateReply } from '../../../platform/http/replies/accept.js';
import { attachment, fileNameHeader } from '../../../platform/http/replies/attachment.js';
import { SafetyStockDto, SafetyStockQueryDto } from '../../../safety-stock/index.js';
import { ApiCompletedRun, ApiForecastSeries } from '../api-results.js';
import { ListSafetyStocksDto } from './list-safety-stocks.dto.js';
import { SafetyStockService } from './safety-stock.service.js';
import { safetyStocksCsv } from './safety-stocks-csv.js';

/** Safety stock based on a run's forecasts. */
@Injectable()
abstract class SafetyStockRoutes {
  constructor(private readonly safetyStock: SafetyStockService) {}

  @Get()
  @ApiOperation({
    summary: 'List safety stock',
    description:
      'Recommends a safety stock and a reorder point for each series that the run forecast, ordered by unique_id: for the lead time and the service level of the series, as far as the request names none. ' +
      'Lead times that the forecast of a series does not cover are limited to what it covers, and `warnings` says so. With `Accept: text/csv`, returns CSV, and the audit log records the export.',
  })
  @ApiCompletedRun()
  @ApiInvalidQuery()
  @ApiProblem(404, 'The run does not exist.', ['not_found'])
  @ApiProblem(406, 'The Accept header allows neither application/json nor text/csv.', ['not_acceptable'])
  @ApiPage({
    headers: fileNameHeader('of CSV'),
    content: {
      'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(SafetyStockDto) } } },
      'text/csv': { schema: { type: 'string', example: safetyStocksCsv([]) } },
    },
  })
  async list(
    @CurrentTenant() caller: TenantCaller,
    @Param('run_id') runId: string,
    @Query() query: ListSafetyStocksDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly SafetyStockDto[] | string> {
    const isCsv = negotiateReply(request, reply, ['application/json', 'text/csv']) === 'text/csv';
    const { items, next } = await this.safetyStock.list(caller, runId, query, isCsv && request.method !== 'HEAD');
    linkNext(request, reply, next);
    if (!isCsv) return items;
    void reply.type('text/csv; charset=utf-8').header('content-disposition', attachment(`safety-stock-${runId}.csv`));
    return safetyStocksCsv(items);
  }

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
