import type { PlanName } from '../../../config/plans.js';

/** One run beyond the quota, as stored in the outbox. */
export interface MeterEvent {
  readonly id: string;
  readonly organizationId: string;
  /** Stable over repeated deliveries; the receiver counts it once. */
  readonly identifier: string;
  readonly runId: string;
  readonly occurredAt: Date;
  /** With the one that it has been taken for. */
  readonly attempts: number;
  /** The organization's at the end of the month that the run counts in; the present one where it is not over. */
  readonly plan: PlanName;
  /** The organization's name at Stripe, where it has one. */
  readonly stripeCustomerId: string | null;
}

/** A service that bills by usage. */
export interface UsageReporter {
  /** Days after which an event is refused as too old; null where there is no limit. */
  readonly acceptedDays: number | null;
  /** Whether the organization is known well enough to be billed. */
  canBill(organization: { readonly stripeCustomerId: string | null }): boolean;
  /**
   * Delivers an event; one that had arrived before counts as delivered.
   * @throws when it is unknown whether it arrived, or it was refused: the outbox tries again
   */
  deliver(event: MeterEvent): Promise<void>;
}

/** Milliseconds a metering service has to answer. */
export const DELIVERY_DEADLINE_MS = 10_000;

/** A refusal in one line, for the outbox and the log: status and the beginning of the answer, which may repeat the secret. */
export async function refusal(service: string, reply: Response, secret: string | undefined): Promise<Error> {
  const answer = await reply.text().catch(() => '');
  const text = secret === undefined ? answer : answer.replaceAll(secret, '********');
  return new Error(`${service} answered ${reply.status}: ${text.slice(0, 300)}`);
}
