import type { PlanName } from '../../config/plans.js';
import { type AuditActor, recordAudit } from '../access/index.js';
import type { Transaction } from '../platform/database/database.js';
import { monthOf } from '../platform/utc-calendar.js';
import { refundOverage, refundQuota } from './usage.queries.js';

/** What a run was charged to. */
export type Billed = 'quota' | 'overage';

export interface RunCharge {
  readonly organizationId: string;
  readonly plan: PlanName;
  readonly runId: string;
  /** Determines the month; pass the run's `created_at`. */
  readonly now: Date;
}

export interface RunRefund {
  readonly organizationId: string;
  readonly runId: string;
  readonly billed: Billed;
  /** When the run was charged: that month gets the run back, even if another has begun. */
  readonly chargedAt: Date;
  readonly endedAt: Date;
}

/** Refunds the charges of runs, and records it. Call it once per run, in the transaction that ends it. */
export async function refundRuns(tx: Transaction, refunds: readonly RunRefund[]): Promise<void> {
  const changes: BillingChange[] = [];
  for (const { organizationId, runId, billed: from, chargedAt, endedAt: at } of refunds) {
    const month = monthOf(chargedAt);
    if (from === 'quota') await refundQuota(tx, organizationId, month);
    else if (!(await refundOverage(tx, organizationId, month, runId))) continue;
    changes.push({ organizationId, runId, month, from, to: null, at });
  }
  // after the counters of all months, in the order in which starting a run locks them: any other order could deadlock
  for (const change of changes) await recordBilling(tx, change);
}

const BILLING: AuditActor = { kind: 'system', id: null, name: 'billing', address: null };

/** A run that now counts against something other than when it was started. */
export interface BillingChange {
  readonly organizationId: string;
  readonly runId: string;
  /** First day of the month in which it counts. */
  readonly month: string;
  readonly from: Billed;
  /** Null if it is refunded. */
  readonly to: Billed | null;
  readonly at: Date;
}

/** Records what `run.started` could not know, so that the bill can be derived from the audit log. */
export function recordBilling(tx: Transaction, change: BillingChange): Promise<void> {
  const { organizationId, runId, month, from, to, at } = change;
  return recordAudit(tx, {
    organizationId,
    actor: BILLING,
    action: 'run.billing_changed',
    target: { kind: 'run', id: runId },
    details: { month, from, to },
    now: at,
  });
}
