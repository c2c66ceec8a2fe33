import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { PlanName } from '../../../config/plans.js';
import { codeOf, messageOf } from '../../platform/faults.js';

/** A run beyond the quota, as stored in the outbox. */
export interface MeterEvent {
  readonly id: string;
  readonly organizationId: string;
  /** Stable across deliveries; the receiver counts it once. */
  readonly identifier: string;
  readonly runId: string;
  readonly occurredAt: Date;
  /** Including the current attempt. */
  readonly attempts: number;
  /** Milliseconds for which it has been uncertain, before this attempt, whether it arrived; null while it definitely has not. */
  readonly unsureForMs: number | null;
  /** The organization's plan at the end of the month in which the run counts; the current one if the month is not over. */
  readonly plan: PlanName;
  /** The organization's customer id at Stripe, if it has one. */
  readonly stripeCustomerId: string | null;
}

/** A usage-based billing service. */
export interface UsageReporter {
  /** Days after which an event is rejected as too old; null if there is no limit. */
  readonly acceptedDays: number | null;
  /** Milliseconds for which a repeated identifier is guaranteed to be rejected or ignored; null if there is no limit. */
  readonly remembersMs: number | null;
  /** Name of a sequence of events: a process delivers those of a sequence one at a time. */
  sequenceOf(event: MeterEvent): string;
  /** Whether the organization is known well enough to be billed. */
  canBill(organization: { readonly stripeCustomerId: string | null }): boolean;
  /**
   * Delivers an event; one that had arrived before counts as delivered.
   * @throws {NotTaken} if this attempt definitely did not arrive; anything else if that is uncertain: the outbox retries
   */
  deliver(event: MeterEvent): Promise<void>;
}

/** The metering service definitely did not count this attempt. */
export class NotTaken extends Error {}

/** Milliseconds that a metering service has to answer. */
export const DELIVERY_DEADLINE_MS = 10_000;

/** A request of an event. */
interface Attempt {
  isSent: boolean;
}

/**
 * Whether anything of a request was sent, which only the HTTP client knows: a connection may be reset, or not answer, during its handshake
 * or after a request.
 */
const current = new AsyncLocalStorage<Attempt>();
const attempts = new WeakMap<object, Attempt>();
subscribe('undici:request:create', (message) => {
  const attempt = current.getStore();
  const { request } = message as { request: { method: string } };
  // a proxy is first asked to connect
  if (attempt && request.method === 'POST') attempts.set(request, attempt);
});
subscribe('undici:client:sendHeaders', (message) => {
  const attempt = attempts.get((message as { request: object }).request);
  if (attempt) attempt.isSent = true;
});

/**
 * Posts an event. A redirect is returned rather than followed: after 301 and 302 the event would become a GET, which may be
 * answered with 200.
 * @throws {NotTaken} if nothing was sent
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | URLSearchParams,
): Promise<Response> {
  const signal = AbortSignal.timeout(DELIVERY_DEADLINE_MS);
  const attempt = { isSent: false };
  try {
    return await current.run(attempt, () => fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' }));
  } catch (error) {
    // fetch says only that it failed; of several addresses, its cause may have only a code
    const cause = (error as Error).cause ?? error;
    const reason = messageOf(cause) || codeOf(cause);
    throw attempt.isSent ? new Error(reason, { cause }) : new NotTaken(reason);
  }
}

/**
 * A refusal in one line, for the outbox and the log: status and the beginning of the response, which may echo the secret. Whether
 * an event arrived is uncertain after a server error (5xx), or if an intermediary timed out the request (408).
 */
export async function refusal(service: string, reply: Response, secret: string | undefined): Promise<Error> {
  const answer = await reply.text().catch(() => '');
  const text = secret === undefined ? answer : answer.replaceAll(secret, '********');
  const message = `${service} answered ${reply.status}: ${text.slice(0, 300)}`;
  return reply.status >= 500 || reply.status === 408 ? new Error(message) : new NotTaken(message);
}
