import { Inject, Injectable } from '@nestjs/common';
import type { Queryable, Transaction } from '../platform/database/database.js';
import { findStripeCustomer } from './metering/meter-events.queries.js';
import { USAGE_REPORTER } from './metering/meter-outbox.js';
import type { UsageReporter } from './metering/usage-reporter.js';
import { type Billed, chargeRun, readUsage, type RunCharge, type Usage } from './quota.js';
import { QuotaNotices } from './quota-notices.js';

/** Charges runs to the quota, or beyond it where a metering service is configured and knows the organization. */
@Injectable()
export class RunBilling {
  constructor(
    @Inject(USAGE_REPORTER) private readonly reporter: UsageReporter | null,
    private readonly notices: QuotaNotices,
  ) {}

  /** @throws {Problem} 402 `quota_exceeded` */
  async charge(tx: Transaction, charge: RunCharge): Promise<Billed> {
    const canMeter = () => this.canMeter(tx, charge.organizationId);
    const billed = await chargeRun(tx, charge, canMeter);
    await this.notices.afterRun(tx, charge, billed, () => readUsage(tx, charge, canMeter));
    return billed;
  }

  /** What has been charged this month, and whether more would be. */
  usage(db: Queryable, of: Omit<RunCharge, 'runId'>): Promise<Usage> {
    return readUsage(db, of, () => this.canMeter(db, of.organizationId));
  }

  private async canMeter(db: Queryable, organizationId: string): Promise<boolean> {
    if (this.reporter === null) return false;
    return this.reporter.canBill({ stripeCustomerId: await findStripeCustomer(db, organizationId) });
  }
}
