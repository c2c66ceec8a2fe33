import { Controller, Get, Injectable, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentTenant, type TenantCaller } from '../../access/index.js';
import { PublicApi, WorkspaceRole } from '../../platform/http/access-declaration.js';
import { ApiPage } from '../../platform/http/api-page.js';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { linkNext } from '../../platform/http/pagination.js';
import { POLL_AFTER_SECONDS } from '../../platform/http/replies/polling.js';
import { ApiCompletedRun } from '../results/api-results.js';
import { ForecastExplainDto, ForecastExplainQueryDto } from './forecast-explain.dto.js';
import { ForecastExplainService } from './forecast-explain.service.js';

/** What changed between two runs. */
@Injectable()
abstract class ForecastExplainRoutes {
  constructor(private readonly changes: ForecastExplainService) {}

  @Get()
  @ApiOperation({
    summary: 'Explain changes between two runs',
    description:
      'Breaks down the change of the forecast, for each series and month that both runs forecast, into parts that sum to it. The parts are found by replaying the engine step by step. ' +
      'Also returns totals over the workspace, and the series that only one of the runs forecast. With thousands of series, the totals may not be ready yet: then `totals_pending` is true and the response has a Retry-After header. ' +
      'Follow the Link header for more series.',
  })
  @ApiCompletedRun()
  @ApiPage({
    type: ForecastExplainDto,
    headers: {
      'Retry-After': {
        description: 'Seconds to wait before requesting pending totals again.',
        schema: { type: 'string' },
      },
    },
  })
  @ApiProblem(400, 'A query parameter is invalid, or the runs belong to different workspaces.', [
    'invalid_request',
    'runs_not_comparable',
  ])
  @ApiProblem(404, 'The run or the series does not exist.', ['not_found'])
  async explain(
    @CurrentTenant() caller: TenantCaller,
    @Param('current') current: string,
    @Param('prior') prior: string,
    @Query() query: ForecastExplainQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) response: FastifyReply,
  ): Promise<ForecastExplainDto> {
    const { reply, next } = await this.changes.explain(caller, current, prior, query);
    linkNext(request, response, next);
    if (reply.totals_pending) void response.header('retry-after', POLL_AFTER_SECONDS);
    return reply;
  }
}

@ApiTags('Forecast changes')
@PublicApi()
@Controller('api/v1/runs/:current/compare/:prior/forecast-explain')
export class ForecastExplainController extends ForecastExplainRoutes {}

/** The same for signed-in members of the workspace. */
@ApiTags('Workspace runs')
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/runs/:current/compare/:prior/forecast-explain')
export class WorkspaceForecastExplainController extends ForecastExplainRoutes {}
