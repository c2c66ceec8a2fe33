import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, Caller, WorkspaceScope } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { ApiProblem } from '../platform/http/api-problem.js';
import { sendPage } from '../platform/http/pagination.js';
import { ListSeriesDto, SeriesDto, TrendChangeDto } from './dto/series.dto.js';
import type { SeriesItem } from './read/series.queries.js';
import { SeriesService } from './series.service.js';
import type { TrendChange } from './trends/trends.queries.js';

@ApiTags('Series')
@ApiExtraModels(SeriesDto, TrendChangeDto)
@PublicApi()
@Controller('api/v1')
export class SeriesController {
  constructor(
    private readonly series: SeriesService,
    private readonly scope: WorkspaceScope,
  ) {}

  @Get('series')
  @ApiOperation({
    summary: 'List series, or changes of their trend',
    description:
      'All series of the workspace, or of the organization; newest first. With `trend_changed_since` one item per change of a trend label instead, newest first. ' +
      'As a polling trigger: `trend_changed_since=<time at which the last poll was sent>`; nothing is missed, whatever completes meanwhile.',
  })
  @ApiOkResponse({
    content: {
      'application/json': {
        schema: {
          anyOf: [
            { type: 'array', items: { $ref: getSchemaPath(SeriesDto) } },
            { type: 'array', items: { $ref: getSchemaPath(TrendChangeDto) } },
          ],
        },
      },
    },
    headers: { Link: { description: '`rel="next"` where there is another page.', schema: { type: 'string' } } },
  })
  @ApiProblem(400, 'A query parameter is wrong.', ['invalid_request'])
  @ApiProblem(404, 'There is no such workspace.', ['not_found'])
  async list(
    @Caller() caller: ApiCaller,
    @Query() query: ListSeriesDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly SeriesItem[] | readonly TrendChange[]> {
    const workspaceId = await this.scope.resolve(caller, query.workspace_id);
    const scope = { organizationId: caller.organizationId, workspaceId };
    const since = query.trend_changed_since;
    return since === undefined
      ? sendPage(request, reply, await this.series.list(scope, query))
      : sendPage(request, reply, await this.series.trendChanges(scope, since, query));
  }
}
