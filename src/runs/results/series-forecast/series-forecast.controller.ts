import { Controller, Get, Injectable, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentTenant, type TenantCaller } from '../../../access/index.js';
import { negotiateReply } from '../../../platform/http/replies/accept.js';
import { PublicApi, WorkspaceRole } from '../../../platform/http/access-declaration.js';
import { ApiProblem } from '../../../platform/http/api-problem.js';
import { ApiForecastSeries } from '../api-results.js';
import { SeriesForecastDto, SeriesForecastQueryDto } from './series-forecast.dto.js';
import { SeriesForecastService } from './series-forecast.service.js';

/** The forecast of a series in words or as a chart. */
@Injectable()
abstract class SeriesForecastRoutes {
  constructor(private readonly forecasts: SeriesForecastService) {}

  @Get()
  @ApiOperation({
    summary: 'Get a forecast in plain language',
    description:
      'Returns the estimates for the first forecast month, the trend, all forecast months, and a summary in plain language. Manual overrides are not included, but with `apply_overrides=true` the months also have `final`. With `Accept: image/svg+xml`, returns a chart of history and forecast (always without overrides).',
  })
  @ApiForecastSeries()
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(SeriesForecastDto) } },
      'image/svg+xml': { schema: { type: 'string', example: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>' } },
    },
  })
  @ApiProblem(406, 'The Accept header allows neither application/json nor image/svg+xml.', ['not_acceptable'])
  async read(
    @CurrentTenant() caller: TenantCaller,
    @Param('series_id') seriesId: string,
    @Query() query: SeriesForecastQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SeriesForecastDto | string> {
    const type = negotiateReply(request, reply, ['application/json', 'image/svg+xml']);
    if (type === 'application/json') return this.forecasts.inWords(caller, query, seriesId);
    void reply.type('image/svg+xml; charset=utf-8');
    return this.forecasts.drawn(caller, query.run_id, seriesId);
  }
}

@ApiTags('Series')
@ApiExtraModels(SeriesForecastDto)
@PublicApi()
@Controller('api/v1/series/:series_id/forecast')
export class SeriesForecastController extends SeriesForecastRoutes {}

/** The same for signed-in members of the workspace. */
@ApiTags('Workspace runs')
@ApiExtraModels(SeriesForecastDto)
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/series/:series_id/forecast')
export class WorkspaceSeriesForecastController extends SeriesForecastRoutes {}
