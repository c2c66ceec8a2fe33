import { Controller, Get, Injectable, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentTenant, type TenantCaller } from '../../../access/index.js';
import { ApiInvalidQuery, ApiProblem } from '../../../platform/http/api-problem.js';
import { PublicApi, WorkspaceRole } from '../../../platform/http/access-declaration.js';
import { negotiateReply } from '../../../platform/http/replies/accept.js';
import { attachment, fileNameHeader } from '../../../platform/http/replies/attachment.js';
import { ApiCompletedRun } from '../api-results.js';
import { ForecastTotalDto, ListTotalsDto } from './forecast-totals.dto.js';
import { ForecastTotalsService } from './forecast-totals.service.js';
import { totalsCsv } from './totals-csv.js';

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
      'A month includes only the series whose forecast reaches it. With `Accept: text/csv`, returns CSV, and the audit log records the export.',
  })
  @ApiCompletedRun()
  @ApiInvalidQuery()
  @ApiProblem(404, 'The run does not exist.', ['not_found'])
  @ApiProblem(406, 'The Accept header allows neither application/json nor text/csv.', ['not_acceptable'])
  @ApiOkResponse({
    headers: fileNameHeader('of CSV'),
    content: {
      'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(ForecastTotalDto) } } },
      'text/csv': {
        schema: { type: 'string', example: 'category,unit,ds,months,series,q10,q50,q90,mean\r\n' },
      },
    },
  })
  async list(
    @CurrentTenant() caller: TenantCaller,
    @Param('run_id') runId: string,
    @Query() query: ListTotalsDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ForecastTotalDto[] | string> {
    const isCsv = negotiateReply(request, reply, ['application/json', 'text/csv']) === 'text/csv';
    const totals = await this.totals.list(caller, runId, query, isCsv && request.method !== 'HEAD');
    if (!isCsv) return totals;
    void reply.type('text/csv; charset=utf-8').header('content-disposition', attachment(`totals-${runId}.csv`));
    return totalsCsv(totals, query.apply_overrides === true);
  }
}

@ApiTags('Forecasts')
@ApiExtraModels(ForecastTotalDto)
@PublicApi()
@Controller('api/v1/runs/:run_id/totals')
export class ForecastTotalsController extends ForecastTotalsRoutes {}

/** The same for signed-in members of the workspace. */
@ApiTags('Workspace runs')
@ApiExtraModels(ForecastTotalDto)
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/runs/:run_id/totals')
export class WorkspaceForecastTotalsController extends ForecastTotalsRoutes {}
