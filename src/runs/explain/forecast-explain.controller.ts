import { Controller, Get, Injectable, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentTenant, type TenantCaller } from '../../access/index.js';
import { PublicApi, WorkspaceRole } from '../../platform/http/access-declaration.js';
import { ApiPage } from '../../platform/http/api-page.js';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { linkNext } from '../../platform/http/pagination.js';
import { POLL_AFTER_SECONDS } from '../../platform/http/polling.js';
import { ApiCompletedRun } from '../results/api-results.js';
import { ForecastExplainDto, ForecastExplainQueryDto } from './forecast-explain.dto.js';
import { ForecastExplainService } from './forecast-explain.service.js';

/** What changed between two runs. */
@Injectable()
abstract class ForecastExplainRoutes {
  constructor(private readonly changes: ForecastExplainService) {}

  @Get()
  @ApiOperation({
    summary: 'Explain what changed between two runs',
    description:
      'Per series and month that both runs forecast: the change of the forecast and its parts, which sum to it, found by replaying the engine step by step; ' +
      'totals over the workspace, and the series that one of the runs alone forecast. With thousands of series the totals may come later: `totals_pending`, with Retry-After. ' +
      'More series: follow the Link header.',
  })
  @ApiCompletedRun('current')
  @ApiParam({ name: 'prior', format: 'uuid', example: EXAMPLE_ID.run })
  @ApiPage({
    type: ForecastExplainDto,
    headers: {
      'Retry-After': { description: 'Seconds until pending totals are worth asking for.', schema: { type: 'string' } },
    },
  })
  @ApiProblem(400, 'A query parameter is wrong, or the runs are of different workspaces.', [
    'invalid_request',
    'runs_not_comparable',
  ])
  @ApiProblem(404, 'There is no such run, or no such series.', ['not_found'])
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
