import { Controller, Get, Injectable, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentTenant, type TenantCaller } from '../../../access/index.js';
import { negotiateReply } from '../../../platform/http/replies/accept.js';
import { PublicApi, WorkspaceRole } from '../../../platform/http/access-declaration.js';
import { ApiPage } from '../../../platform/http/api-page.js';
import { ApiProblem } from '../../../platform/http/api-problem.js';
import { attachment, fileNameHeader } from '../../../platform/http/replies/attachment.js';
import { linkNext } from '../../../platform/http/pagination.js';
import { ApiRunResult } from '../api-results.js';
import { ForecastRowDto, ListForecastsDto } from './forecast-rows.dto.js';
import { ForecastRowsService } from './forecast-rows.service.js';

/** Forecast rows of a run. The name of the class is part of the operation's id, which generated clients use. */
@Injectable()
abstract class RunResultsRoutes {
  constructor(private readonly rows: ForecastRowsService) {}

  @Get('forecasts')
  @ApiRunResult()
  @ApiOperation({
    summary: 'List forecast rows',
    description:
      'Returns the rows of a completed run, one per series and month, ordered by unique_id and month. With `Accept: text/csv`, returns CSV. A page has at most 10,000 rows, including in CSV; follow the Link header for more.',
  })
  @ApiPage({
    headers: fileNameHeader('of CSV'),
    content: {
      'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(ForecastRowDto) } } },
      'text/csv': {
        schema: {
          type: 'string',
          example: 'unique_id,ds,q10,q50,q90,product_name,category,unit,model,metadata,mean\r\n',
        },
      },
    },
  })
  @ApiProblem(406, 'The Accept header allows neither application/json nor text/csv.', ['not_acceptable'])
  async forecasts(
    @CurrentTenant() caller: TenantCaller,
    @Param('run_id') runId: string,
    @Query() query: ListForecastsDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { type, body, next, fileName } = await this.rows.page(caller, runId, query, {
      csv: negotiateReply(request, reply, ['application/json', 'text/csv']) === 'text/csv',
      taken: request.method !== 'HEAD',
    });
    linkNext(request, reply, next);
    if (fileName !== undefined) void reply.header('content-disposition', attachment(fileName));
    await reply.type(type).send(body);
  }
}

@ApiTags('Forecasts')
@ApiExtraModels(ForecastRowDto)
@PublicApi()
@Controller('api/v1/runs/:run_id')
export class RunResultsController extends RunResultsRoutes {}

/** The same for signed-in members of the workspace. */
@ApiTags('Workspace runs')
@ApiExtraModels(ForecastRowDto)
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/runs/:run_id')
export class WorkspaceRunResultsController extends RunResultsRoutes {}
