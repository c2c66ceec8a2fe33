import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { PLANS } from '../../config/plans.js';
import {
  type ApiCaller,
  Caller,
  countPlanUse,
  CurrentMember,
  type MemberCaller,
  type TenantCaller,
} from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { OrganizationRole, PublicApi, WorkspaceRole } from '../platform/http/access-declaration.js';
import type { Usage } from './quota.js';
import { RunBilling } from './run-billing.js';
import { OrganizationUsageBody, UsageBody } from './usage.dto.js';

const RUNS =
  "The organization's run quota, what is used of it, runs beyond it, whether the next one beyond it is billed or refused, and when counting starts anew.";

@ApiTags('Usage')
@Controller()
export class UsageController {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly billing: RunBilling,
  ) {}

  @Get('api/v1/usage')
  @PublicApi()
  @ApiOperation({ summary: 'Runs used this month', description: RUNS })
  @ApiOkResponse({ type: UsageBody })
  get(@Caller() caller: ApiCaller): Promise<Usage> {
    return this.read(caller);
  }

  @Get('workspaces/:workspace_id/usage')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Runs used this month, for members',
    description: `${RUNS} All workspaces of the organization share the quota.`,
  })
  @ApiOkResponse({ type: UsageBody })
  getOfWorkspace(@CurrentMember() member: MemberCaller): Promise<Usage> {
    return this.read(member);
  }

  @Get('orgs/:org_id/usage')
  @OrganizationRole('admin')
  @ApiParam({ name: 'org_id', format: 'uuid' })
  @ApiOperation({
    summary: 'What is used of the plan',
    description: `${RUNS} \`limits\` has each limit of the plan, with what counts against it now.`,
  })
  @ApiOkResponse({ type: OrganizationUsageBody })
  async getOfOrganization(@CurrentMember() member: MemberCaller): Promise<OrganizationUsageBody> {
    const { organizationId, plan } = member;
    const usage = await this.read(member);
    const used = await countPlanUse(this.database, organizationId, this.clock.now());
    const { workspaces, members, api_keys } = PLANS[plan];
    return {
      ...usage,
      limits: {
        monthly_runs: { limit: usage.quota, used: usage.used },
        workspaces: { limit: workspaces, used: used.workspaces },
        members: { limit: members, used: used.members },
        api_keys: { limit: api_keys, used: used.api_keys },
      },
    };
  }

  private read({ organizationId, plan }: TenantCaller): Promise<Usage> {
    return this.billing.usage(this.database, { organizationId, plan, now: this.clock.now() });
  }
}
