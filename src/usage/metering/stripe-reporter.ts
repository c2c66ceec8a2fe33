import { HOUR_MS } from '../../platform/durations.js';
import { type MeterEvent, NotTaken, post, refusal, type UsageReporter } from './usage-reporter.js';

export interface StripeOptions {
  readonly secretKey: string;
  /** Without a trailing slash; may have a path. */
  readonly apiUrl: string;
  readonly eventName: string;
}

/**
 * Stripe Meter Events (POST /v1/billing/meter_events), which rejects a second event with the same identifier. Sent without an
 * Idempotency-Key: with one, Stripe would replay an earlier 500 for a day instead of accepting the event.
 */
export class StripeReporter implements UsageReporter {
  // https://docs.stripe.com/api/billing/meter-event/create: timestamp, identifier
  readonly acceptedDays = 35;
  readonly remembersMs = 23 * HOUR_MS; // at least 24 hours, by its own clock and from the arrival of an event

  constructor(private readonly options: StripeOptions) {}

  canBill(organization: { readonly stripeCustomerId: string | null }): boolean {
    return organization.stripeCustomerId !== null;
  }

  sequenceOf({ id, stripeCustomerId }: MeterEvent): string {
    return stripeCustomerId ?? id; // more than one call at a time for a customer and meter may be refused (429)
  }

  async deliver(event: MeterEvent): Promise<void> {
    if (event.stripeCustomerId === null) throw new NotTaken('the organization has no Stripe customer');
    const reply = await post(
      `${this.options.apiUrl}/v1/billing/meter_events`,
      { authorization: `Bearer ${this.options.secretKey}`, 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams({
        event_name: this.options.eventName,
        identifier: event.identifier,
        timestamp: String(Math.floor(event.occurredAt.getTime() / 1_000)),
        'payload[stripe_customer_id]': event.stripeCustomerId,
        'payload[value]': '1',
      }),
    );
    if (reply.ok) {
      await reply.body?.cancel();
      return;
    }
    const fault = await refusal('Stripe', reply, this.options.secretKey);
    // an earlier delivery arrived although its response did not
    if (reply.status === 400 && fault.message.includes('already exists with identifier')) return;
    throw fault;
  }
}
