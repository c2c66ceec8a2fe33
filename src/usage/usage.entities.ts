import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference } from '../access/organizations/organizations.entities.js';
import { instant, text } from '../platform/database/columns.js';

/** Runs that an organization started in a calendar month (UTC). */
export const UsageCounterEntity = defineEntity({
  name: 'UsageCounter',
  tableName: 'usage_counters',
  properties: {
    organization: organizationReference().primary(),
    /** First day of the month. */
    month: p.date().primary(),
    used: p.integer().default(0),
    overage: p.integer().default(0),
    /** The quota for which the organization's owners have been notified that it is used up. */
    quotaTold: p.integer().nullable(),
    /** The quota for which they have been notified that further runs are billed. */
    overageTold: p.integer().nullable(),
    /** The limit on runs beyond the quota for which they have been notified that it is reached. */
    overageLimitTold: p.integer().nullable(),
  },
});

/** Outbox of the metering service: one row per run beyond the quota, written with the run. */
export const MeterEventEntity = defineEntity({
  name: 'MeterEvent',
  tableName: 'meter_events',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    /** `run_overage:{run_id}`: the receiver counts an identifier once, however often it is delivered. */
    identifier: text().unique('meter_events_identifier'),
    /**
     * pending, delivered, canceled, expired (too old for the metering service) or unsure (it may have arrived and would be counted
     * twice). An operator settles the last two.
     */
    status: text().default('pending'),
    occurredAt: instant(),
    attempts: p.integer().default(0),
    nextAttemptAt: instant(),
    lastError: text().nullable(),
    /** Since when it is uncertain whether the metering service has it; null while it definitely has not. */
    unsureSince: instant().nullable(),
    deliveredAt: instant().nullable(),
  },
  indexes: [
    { name: 'meter_events_due', properties: ['nextAttemptAt'], where: `status = 'pending'` },
    { name: 'meter_events_organization', properties: ['organization', 'occurredAt'] },
  ],
});

/** The name by which the metering service knows an organization; without a row its overage cannot be billed. */
export const BillingCustomerEntity = defineEntity({
  name: 'BillingCustomer',
  tableName: 'billing_customers',
  properties: {
    organization: organizationReference().primary(),
    stripeCustomerId: text(),
  },
});

export const USAGE_ENTITIES = [UsageCounterEntity, MeterEventEntity, BillingCustomerEntity];
