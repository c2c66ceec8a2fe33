import { Global, Module } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { Backlogs } from '../platform/metrics/backlogs.js';
import { SETTINGS } from '../platform/platform.module.js';
import { countPendingEvents } from './metering/meter-events.queries.js';
import { MeterOutbox, USAGE_REPORTER } from './metering/meter-outbox.js';
import { OpenMeterReporter } from './metering/openmeter-reporter.js';
import { StripeReporter } from './metering/stripe-reporter.js';
import type { UsageReporter } from './metering/usage-reporter.js';
import { QuotaNotices } from './quota-notices.js';
import { RunBilling } from './run-billing.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

/** Run quotas, their counters, and the metering of overage. */
@Global()
@Module({
  controllers: [UsageController],
  providers: [
    { provide: USAGE_REPORTER, inject: [SETTINGS], useFactory: usageReporter },
    MeterOutbox,
    QuotaNotices,
    RunBilling,
    UsageService,
  ],
  exports: [RunBilling],
})
export class UsageModule {
  constructor(backlogs: Backlogs) {
    backlogs.watch('meter_events', ['pending'], countPendingEvents);
  }
}

/** Stripe if configured, else OpenMeter if configured, else none. */
function usageReporter(settings: Settings): UsageReporter | null {
  const { METER_EVENT_NAME: name } = settings;
  if (settings.STRIPE_SECRET_KEY !== undefined) {
    return new StripeReporter({
      secretKey: settings.STRIPE_SECRET_KEY,
      apiUrl: settings.STRIPE_API_URL,
      eventName: name,
    });
  }
  if (settings.OPENMETER_URL !== undefined) {
    return new OpenMeterReporter({ url: settings.OPENMETER_URL, apiKey: settings.OPENMETER_API_KEY, eventType: name });
  }
  return null;
}
