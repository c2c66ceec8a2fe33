import type { PlanName } from '../../../config/plans.js';
import { messageOf } from '../../platform/faults.js';

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
  /** Milliseconds for which it has been unknown, before this attempt, whether it arrived; null while it certainly has not. */
  readonly unsureForMs: number | null;
  /** The organization's at the end of the month that the run counts in; the present one where it is not over. */
  readonly plan: PlanName;
  /** The organization's name at Stripe, where it has one. */
  readonly stripeCustomerId: string | null;
}

/** A service that bills by usage. */
export interface UsageReporter {
  /** Days after which an event is refused as too old; null where there is no limit. */
  readonly acceptedDays: number | null;
  /** Milliseconds for which an identifier that has arrived is surely refused or ignored; null where there is no limit. */
  readonly remembersMs: number | null;
  /** Whether the organization is known well enough to be billed. */
  canBill(organization: { readonly stripeCustomerId: string | null }): boolean;
  /**
   * Delivers an event; one that had arrived before counts as delivered.
   * @throws {NotTaken} when this attempt certainly did not arrive; anything else when it is unknown: the outbox tries again
   */
  deliver(event: MeterEvent): Promise<void>;
}

/** The metering service certainly did not count this attempt. */
export class NotTaken extends Error {}

/** Milliseconds a metering service has to answer. */
export const DELIVERY_DEADLINE_MS = 10_000;

/** Faults before anything was sent: no address, or nobody there. */
const BEFORE_SENDING = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];

/** Posts an event. @throws {NotTaken} where nothing was sent */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | URLSearchParams,
): Promise<Response> {
  const signal = AbortSignal.timeout(DELIVERY_DEADLINE_MS);
  return fetch(url, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
    const code = (error as { readonly cause?: { readonly code?: string } }).cause?.code;
    throw code !== undefined && BEFORE_SENDING.includes(code) ? new NotTaken(messageOf(error)) : error;
  });
}

/**
 * A refusal in one line, for the outbox and the log: status and the beginning of the answer, which may repeat the secret. Whether an
 * event arrived is unknown after a fault of the service (5xx), or where a request was too slow for what is in between (408).
 */
export async function refusal(service: string, reply: Response, secret: string | undefined): Promise<Error> {
  const answer = await reply.text().catch(() => '');
  const text = secret === undefined ? answer : answer.replaceAll(secret, '********');
  const message = `${service} answered ${reply.status}: ${text.slice(0, 300)}`;
  return reply.status >= 500 || reply.status === 408 ? new Error(message) : new NotTaken(message);
}
