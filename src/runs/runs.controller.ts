import { applyDecorators, Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type ApiCaller, ApiIdempotent, Caller, IdempotencyKey, sendStored } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidQuery, ApiProblem } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import { ApiReadRun, ApiRunId, ApiStartedRun, sendRun } from './api-runs.js';
import { ListRunsDto } from './dto/list-runs.dto.js';
import { RunDto } from './dto/run.dto.js';
import { StartRunDto } from './dto/start-run.dto.js';
import { RunCanceler } from './end/run-canceler.js';
import type { Run } from './run.js';
import { RunsService } from './runs.service.js';
import { RunStarter } from './start/run-starter.js';

/** Starting a run has two paths, for one operation. */
const ApiStart = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary,
      description:
        'Records a run and answers at once; poll the run in the Location header, at most once a minute. Counted against the monthly quota of the organization; ' +
        'a run that fails by our fault gives it back. `POST /runs` and `POST /forecasts` are the same operation and share Idempotency-Keys.',
    }),
    ApiStartedRun({ type: StartRunDto }),
    ApiProblem(404, 'There is no such workspace.', ['not_found']),
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
  ): Promise<Run> {
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
  ): Promise<Run> {
    return sendStored(reply, await this.starter.start(caller, key, body));
  }

  @Get('runs')
  @ApiOperation({
    summary: 'List runs',
    description:
      'Newest first: by finish with `since` or the `status` of a finished run, else by creation. ' +
      'As a polling trigger: `status=complete&since=<finished_at of the newest run told before>`; nothing is missed, whatever completes meanwhile.',
  })
  @Paged({ type: [RunDto] })
  @ApiInvalidQuery()
  @ApiProblem(404, 'There is no such workspace.', ['not_found'])
  list(@Caller() caller: ApiCaller, @Query() query: ListRunsDto): Promise<Page<Run>> {
    return this.runs.list(caller, query);
  }

  @Get('runs/:run_id')
  @ApiRunId()
  @ApiOperation({
    summary: 'Read a run',
    description: 'Status, progress, metrics and timestamps. Unfinished runs carry Retry-After.',
  })
  @ApiReadRun()
  @ApiProblem(404, 'There is no such run.', ['not_found'])
  async get(
    @Caller() caller: ApiCaller,
    @Param('run_id') runId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Run> {
    return sendRun(reply, await this.runs.get(caller, runId));
  }

  @Post('runs/:run_id/cancel')
  @HttpCode(200)
  @ApiRunId()
  @ApiOperation({
    summary: 'Cancel a run',
    description:
      'Ends a queued or running run; what it had computed is discarded. The quota of a run that was still queued is given back, that of a running one is not. Canceling a canceled run changes nothing.',
  })
  @ApiOkResponse({ type: RunDto })
  @ApiProblem(404, 'There is no such run.', ['not_found'])
  @ApiIdempotent({ description: 'The run has completed or failed.', code: 'run_already_finished' })
  async cancel(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() key: string | undefined,
    @Param('run_id') runId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Run> {
    return sendStored(reply, await this.canceler.cancel(caller, key, runId));
  }
}
