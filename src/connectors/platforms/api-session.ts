import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS } from '../../platform/durations.js';
import type { FieldValues } from '../credentials/field.js';
import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';
import { PlatformFault } from '../platform-fault.js';
import { type ApiRequest, exchange } from './api-request.js';
import { DEFAULT_WAIT_MS, isRedirect, isRefusal, judgeReply, parseJson } from './judge-reply.js';
import type { SendUnauthorized } from './token-endpoint.js';

/** Milliseconds before expiry at which a token is renewed. */
const EXPIRY_MARGIN_MS = MINUTE_MS;
/** Default of {@link SessionOptions.patienceMs}, and how often a request is retried after such a wait. */
const DEFAULT_PATIENCE_MS = DEFAULT_WAIT_MS;
const MAX_REPETITIONS = 5;

/** How a platform authenticates requests, and how it signals refusals. */
export interface Authority {
  /** Headers that carry the credentials. */
  authorize(values: FieldValues): Readonly<Record<string, string>>;
  /** Gets new tokens when the old ones are refused; the result is stored before it is used. */
  refresh?(values: FieldValues, send: SendUnauthorized): Promise<FieldValues>;
  /**
   * What a refusal (4xx) or a redirect (3xx) means, if the response says more than its status. Not called for a 429, nor for a 403 with an
   * HTML page: a firewall writes about access and permission whatever the credentials are.
   */
  refusal?(reply: OutboundReply): PlatformFault | undefined;
  /** Milliseconds to wait after a 429, if the platform signals it other than by Retry-After. */
  retryAfterMs?(reply: OutboundReply): number | undefined;
}

export interface SessionOptions {
  readonly platform: Authority;
  readonly values: FieldValues;
  readonly client: OutboundClient;
  readonly signal: AbortSignal;
  /** Maximum wait within a page in milliseconds; a minute by default. */
  readonly patienceMs?: number;
  /** Gets new tokens and stores them, unless another process has done so in the meantime. @param refused the values that do not work */
  readonly renew: (refused: FieldValues) => Promise<FieldValues>;
}

/** Sends requests to a platform with a connector's credentials, and interprets its responses. */
export class ApiSession {
  private current: FieldValues;
  private readonly answers = new Map<string, Promise<unknown>>();

  constructor(private readonly options: SessionOptions) {
    this.current = options.values;
  }

  get values(): FieldValues {
    return this.current;
  }

  /** Whether it sends no more requests; those in progress have failed for that reason. */
  get hasEnded(): boolean {
    return this.options.signal.aborted;
  }

  /** Value of a field that is required or has a default. */
  value(name: string): string {
    const value = this.current[name];
    if (value === undefined) throw new Error(`the connector has no ${name}`);
    return value;
  }

  /**
   * Sends a request; if the credentials are refused, renews them and retries once.
   * @returns the response, whose status is 2xx or one of `accepted`
   * @throws {PlatformFault}
   */
  async send(request: ApiRequest, accepted: readonly number[] = []): Promise<OutboundReply> {
    const { platform } = this.options;
    if (platform.refresh && isSpent(this.current)) this.current = await this.options.renew(this.current);
    let reply = await this.exchange(request);
    if (reply.status === 401 && platform.refresh) {
      this.current = await this.options.renew(this.current);
      reply = await this.exchange(request);
    }
    if (accepted.includes(reply.status)) return reply;
    const host = new URL(request.url).hostname;
    const refusal = isRefusal(reply) || isRedirect(reply) ? platform.refusal?.(reply) : undefined;
    if (refusal) throw refusal;
    if (reply.status === 401) {
      throw PlatformFault.reconnect('credentials_refused', `${host} rejects the credentials.`);
    }
    judgeReply(reply, host, platform.retryAfterMs?.(reply));
    return reply;
  }

  /** As {@link send}, and parses the response as JSON. */
  async json<Body>(request: ApiRequest): Promise<{ body: Body; reply: OutboundReply }> {
    const reply = await this.send(request);
    return { body: parseJson(reply, new URL(request.url).hostname) as Body, reply };
  }

  /** As {@link json}; undefined if the platform does not have what is requested. */
  async find<Body>(request: ApiRequest): Promise<Body | undefined> {
    try {
      return (await this.json<Body>(request)).body;
    } catch (fault) {
      if (fault instanceof PlatformFault && fault.kind === 'refused' && fault.status === 404) return undefined;
      throw fault;
    }
  }

  /**
   * Retries a request about one record of a page after the short waits that the platform asks for. Starting the page over instead would use
   * up the same allowance again, and would never finish on a platform that allows fewer requests than the page needs.
   * @throws {PlatformFault} `wait` if the platform keeps refusing, or the session ends in the meantime
   */
  async patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let repetitions = 0; ; repetitions += 1) {
      try {
        return await ask();
      } catch (fault) {
        const { patienceMs = DEFAULT_PATIENCE_MS } = this.options;
        const waits = fault instanceof PlatformFault && fault.kind === 'wait' && fault.waitMs <= patienceMs;
        if (!waits || repetitions === MAX_REPETITIONS) throw fault;
        await pause(fault.waitMs, undefined, { signal: this.options.signal }).catch(() => {
          throw fault;
        });
      }
    }
  }

  /** Memoizes what does not change during the session, failures too: a fault ends the session. @param about cache key */
  once<Answer>(about: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = this.answers.get(about) ?? ask();
    this.answers.set(about, answer);
    return answer as Promise<Answer>;
  }

  private exchange(request: ApiRequest): Promise<OutboundReply> {
    const { platform, client, signal } = this.options;
    return exchange(
      client,
      { ...request, headers: { ...request.headers, ...platform.authorize(this.current) } },
      signal,
    );
  }
}

/** Whether there is no token, or one that is about to expire. */
function isSpent(values: FieldValues): boolean {
  const expiry = values['access_token_expires_at'] ?? '';
  return values['access_token'] === undefined || (expiry !== '' && Date.parse(expiry) < Date.now() + EXPIRY_MARGIN_MS);
}
