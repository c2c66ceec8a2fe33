import { Inject, Injectable } from '@nestjs/common';
import { PLANS } from '../../config/plans.js';
import type { Queryable, Transaction } from '../platform/database/database.js';
import { Problem } from '../platform/http/problem.js';
import { dayInWords } from '../platform/in-words.js';
import { monthOf, nextMonth } from '../platform/utc-calendar.js';
import { findStripeCustomer } from './metering/meter-events.queries.js';
import { USAGE_REPORTER } from './metering/meter-outbox.js';
import type { UsageReporter } from './metering/usage-reporter.js';
import type { Billed, RunCharge } from './quota.js';
import { QuotaNotices } from './quota-notices.js';
import type { UsageBody } from './usage.dto.js';
import { countOverage, countWithinQuota, readCounters } from './usage.queries.js';

/** Charges runs to the quota, or beyond it if a metering service is configured and knows the organization. */
@Injectable()
export class RunBilling {
  constructor(
    @Inject(USAGE_REPORTER) private readonly reporter: UsageReporter | null,
    private readonly notices: QuotaNotices,
  ) {}

  /**
   * Counts a run in the transaction that stores it: exact under any concurrency, rolled back with the transaction.
   * @throws {Problem} 402 `quota_exceeded` with `quota`, `used`, `resets_at`
   */
  async charge(tx: Transaction, charge: RunCharge): Promise<Billed> {
    const billed = await this.count(tx, charge);
    await this.notices.afterRun(tx, charge, billed, {
      usage: () => this.usage(tx, charge),
      isMetered: () => this.isMetered(tx, charge),
    });
    return billed;
  }

  /** What has been charged this month, and whether more would be. */
  async usage(db: Queryable, of: Omit<RunCharge, 'runId'>): Promise<UsageBody> {
    const { organizationId, plan, now } = of;
    const month = monthOf(now);
    const counters = await readCounters(db, organizationId, month);
    return {
      plan,
      month,
      quota: PLANS[plan].monthly_runs,
      ...counters,
      overage_enabled: isBelow(counters.overage_limit, counters.overage) && (await this.isMetered(db, of)),
      resets_at: nextMonth(now).toISOString(),
    };
  }

  private async count(tx: Transaction, charge: RunCharge): Promise<Billed> {
    const { organizationId, plan, now } = charge;
    const quota = PLANS[plan].monthly_runs;
    const month = monthOf(now);
    if (await countWithinQuota(tx, organizationId, month, quota)) return 'quota';
    const { used, overage_limit: limit } = await readCounters(tx, organizationId, month);
    const isMetered = await this.isMetered(tx, charge);
    if (isMetered && (await countOverage(tx, organizationId, { ...charge, month, limit }))) return 'overage';
    const beyond = isMetered ? ` ${limitReached(limit)}` : '';
    const reset = nextMonth(now);
    const detail = `All ${quota} monthly runs of the plan ${plan} are used. They are renewed on ${dayInWords(reset)} (UTC).${beyond}`;
    throw new Problem(402, 'quota_exceeded', detail, { members: { quota, used, resets_at: reset.toISOString() } });
  }

  /** Whether runs beyond the quota can be metered; otherwise they are refused. */
  private async isMetered(
    db: Queryable,
    { organizationId, plan }: Pick<RunCharge, 'organizationId' | 'plan'>,
  ): Promise<boolean> {
    if (!PLANS[plan].overage || this.reporter === null) return false;
    return this.reporter.canBill({ stripeCustomerId: await findStripeCustomer(db, organizationId) });
  }
}

const isBelow = (limit: number | null, count: number): boolean => limit === null || count < limit;

const limitReached = (limit: number | null): string =>
  limit === 0
    ? 'The organization does not allow billed runs beyond the quota (overage_limit is 0).'
    : `The ${limit} billed runs that the organization allows beyond the quota (overage_limit) are used as well.`;
