import { applyDecorators, Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type ApiCaller, ApiIdempotent, Caller, IdempotencyKey, sendStored } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidQuery, ApiProblem } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import { ApiPolled, sendPolled } from '../platform/http/replies/polling.js';
import { ApiStartedRun } from './api-runs.js';
import { ListRunsDto } from './dto/list-runs.dto.js';
import { RunDto } from './dto/run.dto.js';
import { StartRunDto } from './dto/start-run.dto.js';
import { RunCanceler } from './end/run-canceler.js';
import { RunsService } from './runs.service.js';
import { RunStarter } from './start/run-starter.js';

/** Two paths start a run; they are one operation. */
const ApiStart = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary,
      description:
        'Creates a run and returns immediately. Poll the URL in the Location header, at most once a minute. The run counts against the monthly quota of the organization; ' +
        'a run that fails through a fault of the service is refunded. `POST /runs` and `POST /forecasts` are the same operation and share idempotency keys.',
    }),
    ApiStartedRun({ type: StartRunDto }),
    ApiProblem(404, 'The workspace does not exist.', ['not_found']),
    ApiIdempotent(),
  );

@ApiTags('Runs')
@PublicApi()
@Controller('api/v1')
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly starter: RunStarter,
    private readonly canceler: RunCanceler,
  ) {}

  @Post('runs')
  @HttpCode(202)
  @ApiStart('Start a run')
  async start(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() key: string | undefined,
    @Body() body: StartRunDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunDto> {
    return sendStored(reply, await this.starter.start(caller, key, body));
  }

  @Post('forecasts')
  @HttpCode(202)
  @ApiStart('Start a run (alias for automation platforms)')
  async startByAlias(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() key: string | undefined,
    @Body() body: StartRunDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunDto> {
    return sendStored(reply, await this.starter.start(caller, key, body));
  }

  @Get('runs')
  @ApiOperation({
    summary: 'List runs',
    description:
      'Returns runs, newest first: by finish time with `since` or the `status` of a finished run, otherwise by creation time. ' +
      'For a polling trigger, use `status=complete&since=<finished_at of the newest run already processed>`; no run is missed, even if runs complete between polls.',
  })
  @Paged({ type: [RunDto] })
  @ApiInvalidQuery()
  @ApiProblem(404, 'The workspace does not exist.', ['not_found'])
  list(@Caller() caller: ApiCaller, @Query() query: ListRunsDto): Promise<Page<RunDto>> {
    return this.runs.list(caller, query);
  }

  @Get('runs/:run_id')
  @ApiOperation({
    summary: 'Get a run',
    description:
      'Returns the status, progress, metrics and timestamps of a run. The response for an unfinished run has a Retry-After header.',
  })
  @ApiPolled('run', RunDto)
  @ApiProblem(404, 'The run does not exist.', ['not_found'])
  async get(
    @Caller() caller: ApiCaller,
    @Param('run_id') runId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunDto> {
    return sendPolled(reply, await this.runs.get(caller, runId));
  }

  @Post('runs/:run_id/cancel')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Cancel a run',
    description:
      'Cancels a queued or running run and discards its results. A queued run is refunded to the quota; a running one is not. Canceling a canceled run has no effect.',
  })
  @ApiOkResponse({ type: RunDto })
  @ApiProblem(404, 'The run does not exist.', ['not_found'])
  @ApiIdempotent({ description: 'The run has already completed or failed.', code: 'run_already_finished' })
  async cancel(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() key: string | undefined,
    @Param('run_id') runId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunDto> {
    return sendStored(reply, await this.canceler.cancel(caller, key, runId));
  }
}
