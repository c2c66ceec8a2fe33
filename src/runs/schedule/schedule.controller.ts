import { Body, Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentMember, type MemberCaller, tenantOf } from '../../access/index.js';
import { WorkspaceRole } from '../../platform/http/access-declaration.js';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { PutScheduleDto, RunScheduleDto } from './schedule.dto.js';
import type { RunSchedule } from './schedule.queries.js';
import { ScheduleService } from './schedule.service.js';

@ApiTags('Schedule')
@Controller('workspaces/:workspace_id/schedule')
export class ScheduleController {
  constructor(private readonly schedules: ScheduleService) {}

  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Read the schedule of a workspace',
    description: 'When runs start by schedule, when the next one does, and the result of the last one.',
  })
  @ApiOkResponse({ type: RunScheduleDto })
  get(@CurrentMember() member: MemberCaller): Promise<RunSchedule> {
    return this.schedules.get(tenantOf(member));
  }

  @Put()
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Schedule a monthly run',
    description: 'Replaces the schedule of the workspace. A scheduled run counts against the quota like any other.',
  })
  @ApiOkResponse({ type: RunScheduleDto })
  @ApiProblem(400, 'The request is wrong in the named parameters, or no series that it names exists.', [
    'invalid_request',
    'no_usable_series',
  ])
  put(@CurrentMember() member: MemberCaller, @Body() body: PutScheduleDto): Promise<RunSchedule> {
    return this.schedules.put(member, body);
  }

  @Delete()
  @HttpCode(204)
  @WorkspaceRole('member')
  @ApiOperation({ summary: 'Remove the schedule', description: 'No further run starts by itself.' })
  @ApiNoContentResponse({ description: 'Removed.' })
  remove(@CurrentMember() member: MemberCaller): Promise<void> {
    return this.schedules.remove(member);
  }
}
