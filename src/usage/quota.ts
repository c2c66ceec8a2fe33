import { type PlanName, PLANS } from '../../config/plans.js';
import type { Queryable, Transaction } from '../platform/database/database.js';
import { Problem } from '../platform/http/problem.js';
import { monthOf, nextMonth } from './months.js';
import { countOverage, countWithinQuota, giveOverageBack, giveQuotaBack, readCounters } from './usage.queries.js';

/** What a run was charged to. */
export type Billed = 'quota' | 'overage';

export interface RunCharge {
  readonly organizationId: string;
  readonly plan: PlanName;
  readonly runId: string;
  /** Decides the month; give the run's `created_at`. */
  readonly now: Date;
}

/**
 * Counts a run in the transaction that stores it: exact under any concurrency, undone with the transaction.
 * @param canMeter whether a metering service takes the organization's overage; asked only when the quota is used up
 * @throws {Problem} 402 `quota_exceeded` with `quota`, `used`, `resets_at`
 */
export async function chargeRun(tx: Transaction, charge: RunCharge, canMeter: () => Promise<boolean>): Promise<Billed> {
  const { monthly_runs: quota } = PLANS[charge.plan];
  const month = monthOf(charge.now);
  if (await countWithinQuota(tx, charge.organizationId, month, quota)) return 'quota';
  if (await overageEnabled(charge.plan, canMeter)) {
    await countOverage(tx, charge.organizationId, { ...charge, month });
    return 'overage';
  }
  const { used } = await readCounters(tx, charge.organizationId, month);
  throw new Problem(402, 'quota_exceeded', `The plan ${charge.plan} has ${quota} runs a month, and all are used.`, {
    members: { quota, used, resets_at: nextMonth(charge.now).toISOString() },
  });
}

/** Whether runs beyond the quota are metered and not refused. */
export async function overageEnabled(plan: PlanName, canMeter: () => Promise<boolean>): Promise<boolean> {
  return PLANS[plan].overage && (await canMeter());
}

export interface RunRefund {
  readonly organizationId: string;
  readonly runId: string;
  readonly billed: Billed;
  /** When the run was charged: its month gets the run back, even when another has begun. */
  readonly chargedAt: Date;
}

/** Gives a run's charge back. Call it once, in the transaction that ends the run. */
export async function refundRun(tx: Transaction, refund: RunRefund): Promise<void> {
  const month = monthOf(refund.chargedAt);
  if (refund.billed === 'quota') await giveQuotaBack(tx, refund.organizationId, month);
  else await giveOverageBack(tx, refund.organizationId, month, refund.runId);
}

/** Runs of a calendar month (UTC). */
export interface Usage {
  readonly plan: PlanName;
  /** First day of the month. */
  readonly month: string;
  readonly quota: number;
  readonly used: number;
  readonly overage: number;
  /** Whether runs beyond the quota are metered now, rather than refused. */
  readonly overage_enabled: boolean;
  readonly resets_at: string;
}

/** @param canMeter as of {@link chargeRun}; asked only where the plan has overage */
export async function readUsage(
  db: Queryable,
  { organizationId, plan, now }: Omit<RunCharge, 'runId'>,
  canMeter: () => Promise<boolean>,
): Promise<Usage> {
  const month = monthOf(now);
  const counters = await readCounters(db, organizationId, month);
  return {
    plan,
    month,
    quota: PLANS[plan].monthly_runs,
    ...counters,
    overage_enabled: await overageEnabled(plan, canMeter),
    resets_at: nextMonth(now).toISOString(),
  };
}
