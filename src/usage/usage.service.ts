import { Injectable } from '@nestjs/common';
import { PLANS } from '../../config/plans.js';
import { countPlanUse, type TenantCaller } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { Problem } from '../platform/http/problem.js';
import { monthOf } from '../platform/utc-calendar.js';
import { RunBilling } from './run-billing.js';
import type { OrganizationUsageBody, UsageBody } from './usage.dto.js';
import { findPlanOfMonth } from './usage.queries.js';

/** How much of an organization's plan is used. */
@Injectable()
export class UsageService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly billing: RunBilling,
  ) {}

  /** @param at an instant within the month to report */
  runs({ organizationId, plan }: TenantCaller, at = this.clock.now()): Promise<UsageBody> {
    return this.billing.usage(this.database, { organizationId, plan, now: at });
  }

  /**
   * Runs, and each limit of the plan with what currently counts against it.
   * @param month the month whose runs to report, with the plan at its end
   * @throws {Problem} 400 for a month that has not begun
   */
  async ofPlan(caller: TenantCaller, month?: string): Promise<OrganizationUsageBody> {
    const now = this.clock.now();
    const at = month === undefined ? now : new Date(month);
    if (at > now) throw Problem.invalid([{ param: 'month', message: 'must not be after the current month' }]);
    const usage = await this.runs(caller, at);
    const isPresent = usage.month === monthOf(now);
    const plan = isPresent ? caller.plan : await findPlanOfMonth(this.database, caller.organizationId, usage.month);
    const quota = PLANS[plan].monthly_runs;
    const used = await countPlanUse(this.database, caller.organizationId, now);
    const { workspaces, members, api_keys } = PLANS[caller.plan];
    return {
      ...usage,
      plan,
      quota,
      limits: {
        monthly_runs: { limit: quota, used: usage.used },
        workspaces: { limit: workspaces, used: used.workspaces },
        members: { limit: members, used: used.members },
        api_keys: { limit: api_keys, used: used.api_keys },
      },
    };
  }
}
