import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/database.js';
import { findStripeCustomer } from './metering/meter-events.queries.js';
import { USAGE_REPORTER } from './metering/meter-outbox.js';
import type { UsageReporter } from './metering/usage-reporter.js';
import { type Billed, chargeRun, type RunCharge } from './quota.js';

/** Charges runs to the quota, or beyond it where a metering service is configured and knows the organization. */
@Injectable()
export class RunBilling {
  constructor(@Inject(USAGE_REPORTER) private readonly reporter: UsageReporter | null) {}

  /** @throws {Problem} 402 `quota_exceeded` */
  charge(tx: Transaction, charge: RunCharge): Promise<Billed> {
    const { reporter } = this;
    return chargeRun(tx, charge, async () => {
      if (reporter === null) return false;
      return reporter.canBill({ stripeCustomerId: await findStripeCustomer(tx, charge.organizationId) });
    });
  }
}
