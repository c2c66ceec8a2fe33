import { Injectable } from '@nestjs/common';
import { PLANS } from '../../config/plans.js';
import { countPlanUse, type TenantCaller } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import type { Usage } from './quota.js';
import { RunBilling } from './run-billing.js';
import type { OrganizationUsageBody } from './usage.dto.js';

/** What is used of the plan of an organization. */
@Injectable()
export class UsageService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly billing: RunBilling,
  ) {}

  runs({ organizationId, plan }: TenantCaller): Promise<Usage> {
    return this.billing.usage(this.database, { organizationId, plan, now: this.clock.now() });
  }

  /** Runs, and each limit of the plan beside what counts against it now. */
  async ofPlan(caller: TenantCaller): Promise<OrganizationUsageBody> {
    const usage = await this.runs(caller);
    const used = await countPlanUse(this.database, caller.organizationId, this.clock.now());
    const { workspaces, members, api_keys } = PLANS[caller.plan];
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
}
