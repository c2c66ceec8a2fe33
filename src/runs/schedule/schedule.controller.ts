import { Body, Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentMember, type MemberCaller, tenantOf } from '../../access/index.js';
import { WorkspaceRole } from '../../platform/http/access-declaration.js';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { PutScheduleDto, RunScheduleDto } from './schedule.dto.js';
import { ScheduleService } from './schedule.service.js';

@ApiTags('Schedule')
@Controller('workspaces/:workspace_id/schedule')
export class ScheduleController {
  constructor(private readonly schedules: ScheduleService) {}

  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Get the schedule of a workspace',
    description: 'Returns the monthly schedule, the time of the next run, and the outcome of the last one.',
  })
  @ApiOkResponse({ type: RunScheduleDto })
  get(@CurrentMember() member: MemberCaller): Promise<RunScheduleDto> {
    return this.schedules.get(tenantOf(member));
  }

  @Put()
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Schedule a monthly run',
    description:
      'Creates or replaces the schedule of the workspace. Scheduled runs count against the quota like any others.',
  })
  @ApiOkResponse({ type: RunScheduleDto })
  @ApiProblem(400, 'The named parameters are invalid, or none of the selected series exists.', [
    'invalid_request',
    'no_usable_series',
  ])
  put(@CurrentMember() member: MemberCaller, @Body() body: PutScheduleDto): Promise<RunScheduleDto> {
    return this.schedules.put(member, body);
  }

  @Delete()
  @HttpCode(204)
  @WorkspaceRole('member')
  @ApiOperation({ summary: 'Delete the schedule', description: 'No more runs start automatically.' })
  @ApiNoContentResponse({ description: 'The schedule is deleted.' })
  remove(@CurrentMember() member: MemberCaller): Promise<void> {
    return this.schedules.remove(member);
  }
}
