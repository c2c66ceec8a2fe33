import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type ApiCaller, Caller, CurrentMember, type MemberCaller } from '../access/index.js';
import { ApiInvalidQuery } from '../platform/http/api-problem.js';
import { OrganizationRole, PublicApi, WorkspaceRole } from '../platform/http/access-declaration.js';
import type { Usage } from './quota.js';
import { OrganizationUsageBody, OrganizationUsageDto, UsageBody } from './usage.dto.js';
import { UsageService } from './usage.service.js';

const RUNS =
  "The organization's run quota, what is used of it, runs beyond it, whether the next one beyond it is billed or refused, and when counting starts anew.";

@ApiTags('Usage')
@Controller()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('api/v1/usage')
  @PublicApi()
  @ApiOperation({ summary: 'Runs used this month', description: RUNS })
  @ApiOkResponse({ type: UsageBody })
  get(@Caller() caller: ApiCaller): Promise<Usage> {
    return this.usage.runs(caller);
  }

  @Get('workspaces/:workspace_id/usage')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Runs used this month, for members',
    description: `${RUNS} All workspaces of the organization share the quota.`,
  })
  @ApiOkResponse({ type: UsageBody })
  getOfWorkspace(@CurrentMember() member: MemberCaller): Promise<Usage> {
    return this.usage.runs(member);
  }

  @Get('orgs/:org_id/usage')
  @OrganizationRole('admin')
  @ApiOperation({
    summary: 'What is used of the plan',
    description: `${RUNS} \`limits\` has each limit of the plan, with what counts against it now. With \`month\`, the runs are those of an earlier month, and plan and quota those at its end (the quota that the plan has by now); all else is as it is now.`,
  })
  @ApiOkResponse({ type: OrganizationUsageBody })
  @ApiInvalidQuery()
  getOfOrganization(
    @CurrentMember() member: MemberCaller,
    @Query() { month }: OrganizationUsageDto,
  ): Promise<OrganizationUsageBody> {
    return this.usage.ofPlan(member, month);
  }
}
