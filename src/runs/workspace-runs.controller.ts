import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentMember, type MemberCaller, tenantOf } from '../access/index.js';
import { WorkspaceRole } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidQuery, ApiProblem } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import { ApiPolled, sendPolled } from '../platform/http/replies/polling.js';
import { ApiStartedRun } from './api-runs.js';
import { RunFilterDto } from './dto/list-runs.dto.js';
import { RunDto } from './dto/run.dto.js';
import { StartWorkspaceRunDto } from './dto/start-run.dto.js';
import { RunCanceler } from './end/run-canceler.js';
import { RunsService } from './runs.service.js';
import { RunStarter } from './start/run-starter.js';

/** Runs of a workspace for signed-in members: available on every plan, unlike the public API. */
@ApiTags('Workspace runs')
@WorkspaceRole('viewer')
@Controller('workspaces/:workspace_id/runs')
export class WorkspaceRunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly starter: RunStarter,
    private readonly canceler: RunCanceler,
  ) {}

  @Post()
  @HttpCode(202)
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Start a run of a workspace',
    description: 'Same as `POST /api/v1/runs`, for signed-in members.',
  })
  @ApiStartedRun({ type: StartWorkspaceRunDto })
  async start(
    @CurrentMember() member: MemberCaller,
    @Body() body: StartWorkspaceRunDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunDto> {
    const run = await this.starter.startByMember(member, body);
    void reply.header('location', `/workspaces/${run.workspace_id}/runs/${run.id}`);
    return sendPolled(reply, run);
  }

  @Get()
  @ApiOperation({
    summary: 'List runs of a workspace',
    description:
      'Returns runs, newest first: by finish time with `since` or the `status` of a finished run, otherwise by creation time.',
  })
  @Paged({ type: [RunDto] })
  @ApiInvalidQuery()
  list(@CurrentMember() member: MemberCaller, @Query() query: RunFilterDto): Promise<Page<RunDto>> {
    return this.runs.list(tenantOf(member), query);
  }

  @Get(':run_id')
  @ApiOperation({
    summary: 'Get a run of a workspace',
    description:
      'Returns the status, progress, metrics and timestamps of a run. The response for an unfinished run has a Retry-After header.',
  })
  @ApiPolled('run', RunDto)
  async get(
    @CurrentMember() member: MemberCaller,
    @Param('run_id') runId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunDto> {
    return sendPolled(reply, await this.runs.get(tenantOf(member), runId));
  }

  @Post(':run_id/cancel')
  @HttpCode(200)
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Cancel a run of a workspace',
    description: 'Same as `POST /api/v1/runs/{run_id}/cancel`, for signed-in members.',
  })
  @ApiOkResponse({ type: RunDto })
  @ApiProblem(409, 'The run has already completed or failed.', ['run_already_finished'])
  cancel(@CurrentMember() member: MemberCaller, @Param('run_id') runId: string): Promise<RunDto> {
    return this.canceler.cancelByMember(member, runId);
  }
}
