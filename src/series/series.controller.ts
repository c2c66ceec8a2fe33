import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, Caller, WorkspaceScope } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { ApiProblem } from '../platform/http/api-problem.js';
import { sendPage } from '../platform/http/pagination.js';
import { ListSeriesDto, SeriesDto } from './dto/series.dto.js';
import type { SeriesItem } from './read/series.queries.js';
import { SeriesService } from './series.service.js';

@ApiTags('Series')
@PublicApi()
@Controller('api/v1')
export class SeriesController {
  constructor(
    private readonly series: SeriesService,
    private readonly scope: WorkspaceScope,
  ) {}

  @Get('series')
  @ApiOperation({
    summary: 'List series',
    description: 'All series of the workspace, or of the organization; newest first.',
  })
  @ApiOkResponse({
    type: SeriesDto,
    isArray: true,
    headers: { Link: { description: '`rel="next"` where there is another page.', schema: { type: 'string' } } },
  })
  @ApiProblem(400, 'A query parameter is wrong.', ['invalid_request'])
  @ApiProblem(404, 'There is no such workspace.', ['not_found'])
  async list(
    @Caller() caller: ApiCaller,
    @Query() query: ListSeriesDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly SeriesItem[]> {
    const workspaceId = await this.scope.resolve(caller, query.workspace_id);
    return sendPage(
      request,
      reply,
      await this.series.list({ organizationId: caller.organizationId, workspaceId }, query),
    );
  }
}
