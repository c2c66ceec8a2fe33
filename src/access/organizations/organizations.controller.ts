import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { OrganizationRole } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { LongPageQueryDto } from '../../platform/http/page-query.js';
import type { Page } from '../../platform/http/pagination.js';
import { CurrentMember, type MemberCaller } from '../guard/caller.js';
import { MembersService } from './members.service.js';
import {
  ChangeMemberDto,
  ChangeOrganizationDto,
  ChangeWorkspaceDto,
  CreateWorkspaceDto,
  MemberBody,
  OrganizationBody,
  WorkspaceBody,
} from './organizations.dto.js';
import { OrganizationsService } from './organizations.service.js';
import { WorkspacesService } from './workspaces.service.js';

@ApiTags('Organizations')
@OrganizationRole('admin')
@Controller('orgs/:org_id')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly members: MembersService,
    private readonly workspaces: WorkspacesService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read an organization',
    description:
      'Its plan, allowlist, data region, retention, limit of billed runs, and whether it asks for second factors.',
  })
  @ApiOkResponse({ type: OrganizationBody })
  get(@CurrentMember() caller: MemberCaller): Promise<OrganizationBody> {
    return this.organizations.get(caller.organizationId);
  }

  @Patch()
  @ApiOperation({
    summary: 'Change an organization',
    description: 'Members that are left out stay as they are. The plan is changed by operators.',
  })
  @ApiOkResponse({ type: OrganizationBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'It is to ask for second factors, and you have none.', ['second_factor_off'])
  change(@CurrentMember() caller: MemberCaller, @Body() body: ChangeOrganizationDto): Promise<OrganizationBody> {
    return this.organizations.change(caller, body);
  }

  @Delete()
  @HttpCode(202)
  @OrganizationRole('owner')
  @ApiOperation({
    summary: 'Ask for the deletion of the organization',
    description:
      'Everything is deleted after 30 days; until then an owner can take it back. API keys are refused at once, and nothing is run or synced by schedule. Members keep their access until then, and may start runs and syncs by hand; runs beyond the quota are billed.',
  })
  @ApiAcceptedResponse({ type: OrganizationBody, description: 'Noted; see `delete_after`.' })
  requestDeletion(@CurrentMember() caller: MemberCaller): Promise<OrganizationBody> {
    return this.organizations.changeDeletion(caller, true);
  }

  @Post('restore')
  @HttpCode(200)
  @OrganizationRole('owner')
  @ApiOperation({ summary: 'Take a deletion back', description: 'The organization stays; its keys work again.' })
  @ApiOkResponse({ type: OrganizationBody })
  cancelDeletion(@CurrentMember() caller: MemberCaller): Promise<OrganizationBody> {
    return this.organizations.changeDeletion(caller, false);
  }

  @Get('members')
  @ApiOperation({
    summary: 'List members',
    description: 'Newest first, with what an access review needs: role, second factor, last use, last review.',
  })
  @Paged({ type: [MemberBody] })
  @ApiInvalidQuery()
  listMembers(@CurrentMember() caller: MemberCaller, @Query() query: LongPageQueryDto): Promise<Page<MemberBody>> {
    return this.members.list(caller, query);
  }

  @Patch('members/:user_id')
  @ApiOperation({
    summary: 'Change the role of a member',
    description:
      'Owners are made and changed by owners only; one must remain. Open invitations that the member sent and may not send any more are withdrawn.',
  })
  @ApiParam({ name: 'user_id', format: 'uuid' })
  @ApiOkResponse({ type: MemberBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'The organization would have no owner.', ['last_owner'])
  changeMember(
    @CurrentMember() caller: MemberCaller,
    @Param('user_id') userId: string,
    @Body() body: ChangeMemberDto,
  ): Promise<MemberBody> {
    return this.members.changeRole(caller, userId, body.role);
  }

  @Delete('members/me')
  @HttpCode(204)
  @OrganizationRole('viewer')
  @ApiOperation({
    summary: 'Leave the organization',
    description:
      'Takes effect at once, for whatever role. The last owner cannot leave. Open invitations that the caller sent are withdrawn. The API keys of the organization stay.',
  })
  @ApiNoContentResponse({ description: 'The caller is no longer a member.' })
  @ApiProblem(409, 'The organization would have no owner.', ['last_owner'])
  leave(@CurrentMember() caller: MemberCaller): Promise<void> {
    return this.members.remove(caller, caller.userId);
  }

  @Delete('members/:user_id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove a member',
    description:
      'Takes effect at once. The last owner cannot be removed. Open invitations that the member sent are withdrawn. The API keys of the organization stay: revoke those that the member made.',
  })
  @ApiParam({ name: 'user_id', format: 'uuid' })
  @ApiNoContentResponse({ description: 'The user is no longer a member.' })
  @ApiProblem(409, 'The organization would have no owner.', ['last_owner'])
  removeMember(@CurrentMember() caller: MemberCaller, @Param('user_id') userId: string): Promise<void> {
    return this.members.remove(caller, userId);
  }

  @Post('members/:user_id/review')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Confirm the access of a member',
    description: 'Notes in the access review that the member still needs the role.',
  })
  @ApiParam({ name: 'user_id', format: 'uuid' })
  @ApiOkResponse({ type: MemberBody })
  reviewMember(@CurrentMember() caller: MemberCaller, @Param('user_id') userId: string): Promise<MemberBody> {
    return this.members.review(caller, userId);
  }

  @Get('workspaces')
  @ApiOperation({ summary: 'List workspaces', description: 'Newest first.' })
  @ApiOkResponse({ type: [WorkspaceBody] })
  listWorkspaces(@CurrentMember() caller: MemberCaller): Promise<WorkspaceBody[]> {
    return this.workspaces.list(caller);
  }

  @Post('workspaces')
  @ApiOperation({ summary: 'Make a workspace', description: 'As many as the plan allows.' })
  @ApiCreatedResponse({ type: WorkspaceBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'The plan allows no more; carries `limit` and `used`.', ['plan_limit_reached'])
  createWorkspace(@CurrentMember() caller: MemberCaller, @Body() body: CreateWorkspaceDto): Promise<WorkspaceBody> {
    return this.workspaces.create(caller, { name: body.name, timeZone: body.time_zone ?? 'UTC' });
  }

  @Patch('workspaces/:workspace_id')
  @ApiOperation({ summary: 'Change a workspace', description: 'Its name or time zone.' })
  @ApiOkResponse({ type: WorkspaceBody })
  @ApiInvalidRequest()
  changeWorkspace(
    @CurrentMember() caller: MemberCaller,
    @Param('workspace_id') workspaceId: string,
    @Body() body: ChangeWorkspaceDto,
  ): Promise<WorkspaceBody> {
    return this.workspaces.change(caller, workspaceId, { name: body.name, timeZone: body.time_zone });
  }

  @Delete('workspaces/:workspace_id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a workspace',
    description:
      'With its series, runs, forecasts and keys. There is no way back. The quota of its queued runs is given back, that of running ones is not.',
  })
  @ApiNoContentResponse({ description: 'The workspace is gone.' })
  removeWorkspace(@CurrentMember() caller: MemberCaller, @Param('workspace_id') workspaceId: string): Promise<void> {
    return this.workspaces.remove(caller, workspaceId);
  }
}
