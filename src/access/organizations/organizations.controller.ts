import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { OrganizationRole } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { LongPageQueryDto } from '../../platform/http/page-query.js';
import type { Page } from '../../platform/http/pagination.js';
import { CurrentMember, type MemberCaller } from '../guard/caller.js';
import { MembersService } from './members/members.service.js';
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
import { WorkspacesService } from './workspaces/workspaces.service.js';

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
    summary: 'Get an organization',
    description:
      'Returns the plan, allowlist, data region, retention, overage limit and second factor requirement of the organization.',
  })
  @ApiOkResponse({ type: OrganizationBody })
  get(@CurrentMember() caller: MemberCaller): Promise<OrganizationBody> {
    return this.organizations.get(caller.organizationId);
  }

  @Patch()
  @ApiOperation({
    summary: 'Update an organization',
    description:
      'Changes the settings of the organization. Fields that are omitted stay unchanged. Only operators can change the plan.',
  })
  @ApiOkResponse({ type: OrganizationBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'You cannot require second factors without having one yourself.', ['second_factor_off'])
  change(@CurrentMember() caller: MemberCaller, @Body() body: ChangeOrganizationDto): Promise<OrganizationBody> {
    return this.organizations.change(caller, body);
  }

  @Delete()
  @HttpCode(202)
  @OrganizationRole('owner')
  @ApiOperation({
    summary: 'Request deletion of an organization',
    description:
      'Schedules the organization and all of its data for deletion in 30 days. Until then, an owner can cancel the deletion. API keys are rejected immediately, and no scheduled runs or syncs start. Members keep their access until the deletion and can start runs and syncs manually; runs beyond the quota are billed.',
  })
  @ApiAcceptedResponse({ type: OrganizationBody, description: 'The deletion is scheduled; see `delete_after`.' })
  requestDeletion(@CurrentMember() caller: MemberCaller): Promise<OrganizationBody> {
    return this.organizations.changeDeletion(caller, true);
  }

  @Post('restore')
  @HttpCode(200)
  @OrganizationRole('owner')
  @ApiOperation({
    summary: 'Cancel the deletion of an organization',
    description: 'Keeps the organization; its API keys work again.',
  })
  @ApiOkResponse({ type: OrganizationBody })
  cancelDeletion(@CurrentMember() caller: MemberCaller): Promise<OrganizationBody> {
    return this.organizations.changeDeletion(caller, false);
  }

  @Get('members')
  @ApiOperation({
    summary: 'List members',
    description:
      'Returns members newest first, with what an access review needs: role, second factor, last activity and last review.',
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
      'Changes the role of a member. Only owners can make someone an owner or change the role of an owner, and at least one owner must remain. Open invitations that the member sent but may no longer send are revoked.',
  })
  @ApiOkResponse({ type: MemberBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'The organization would be left without an owner.', ['last_owner'])
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
    summary: 'Leave an organization',
    description:
      'Ends your membership immediately, whatever your role. The last owner cannot leave. Open invitations that you sent are revoked. The API keys of the organization keep working.',
  })
  @ApiNoContentResponse({ description: 'The caller is no longer a member.' })
  @ApiProblem(409, 'The organization would be left without an owner.', ['last_owner'])
  leave(@CurrentMember() caller: MemberCaller): Promise<void> {
    return this.members.remove(caller, caller.userId);
  }

  @Delete('members/:user_id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove a member',
    description:
      'Removes a member immediately. The last owner cannot be removed. Open invitations that the member sent are revoked. The API keys of the organization keep working, so revoke those that the member created.',
  })
  @ApiNoContentResponse({ description: 'The user is no longer a member.' })
  @ApiProblem(409, 'The organization would be left without an owner.', ['last_owner'])
  removeMember(@CurrentMember() caller: MemberCaller, @Param('user_id') userId: string): Promise<void> {
    return this.members.remove(caller, userId);
  }

  @Post('members/:user_id/review')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Confirm the access of a member',
    description: 'Records in the access review that the member still needs the role.',
  })
  @ApiOkResponse({ type: MemberBody })
  reviewMember(@CurrentMember() caller: MemberCaller, @Param('user_id') userId: string): Promise<MemberBody> {
    return this.members.review(caller, userId);
  }

  @Get('workspaces')
  @ApiOperation({
    summary: 'List workspaces',
    description: 'Returns the workspaces of the organization, newest first.',
  })
  @ApiOkResponse({ type: [WorkspaceBody] })
  listWorkspaces(@CurrentMember() caller: MemberCaller): Promise<WorkspaceBody[]> {
    return this.workspaces.list(caller);
  }

  @Post('workspaces')
  @ApiOperation({
    summary: 'Create a workspace',
    description: 'Creates a workspace. The plan limits how many an organization can have.',
  })
  @ApiCreatedResponse({ type: WorkspaceBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'The limit of the plan is reached.', ['plan_limit_reached'])
  createWorkspace(@CurrentMember() caller: MemberCaller, @Body() body: CreateWorkspaceDto): Promise<WorkspaceBody> {
    return this.workspaces.create(caller, { name: body.name, timeZone: body.time_zone ?? 'UTC' });
  }

  @Patch('workspaces/:workspace_id')
  @ApiOperation({ summary: 'Update a workspace', description: 'Changes the name or time zone of the workspace.' })
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
      'Permanently deletes the workspace with its series, runs, forecasts and API keys. Queued runs are returned to the quota; running ones are not.',
  })
  @ApiNoContentResponse({ description: 'The workspace was deleted.' })
  removeWorkspace(@CurrentMember() caller: MemberCaller, @Param('workspace_id') workspaceId: string): Promise<void> {
    return this.workspaces.remove(caller, workspaceId);
  }
}
