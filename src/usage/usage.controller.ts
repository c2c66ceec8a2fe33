import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type ApiCaller, Caller, CurrentMember, type MemberCaller } from '../access/index.js';
import { ApiInvalidQuery } from '../platform/http/api-problem.js';
import { OrganizationRole, PublicApi, WorkspaceRole } from '../platform/http/access-declaration.js';
import { OrganizationUsageBody, OrganizationUsageDto, UsageBody } from './usage.dto.js';
import { UsageService } from './usage.service.js';

const RUNS =
  'Returns the run quota of the organization, how many runs are used, how many are beyond the quota, whether the next run beyond the quota is billed or rejected, and when the quota resets.';

@ApiTags('Usage')
@Controller()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('api/v1/usage')
  @PublicApi()
  @ApiOperation({ summary: 'Get run usage', description: RUNS })
  @ApiOkResponse({ type: UsageBody })
  get(@Caller() caller: ApiCaller): Promise<UsageBody> {
    return this.usage.runs(caller);
  }

  @Get('workspaces/:workspace_id/usage')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Get run usage of a workspace',
    description: `${RUNS} All workspaces of the organization share the quota.`,
  })
  @ApiOkResponse({ type: UsageBody })
  getOfWorkspace(@CurrentMember() member: MemberCaller): Promise<UsageBody> {
    return this.usage.runs(member);
  }

  @Get('orgs/:org_id/usage')
  @OrganizationRole('admin')
  @ApiOperation({
    summary: 'Get plan usage',
    description: `${RUNS} \`limits\` lists each limit of the plan with its current usage. With \`month\`, the runs are those of an earlier month, and the plan is the one at the end of that month (with the quota that this plan has today); everything else is current.`,
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
