import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS } from '../../platform/durations.js';
import type { FieldValues } from '../field.js';
import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';
import { PlatformFault } from '../platform-fault.js';
import { type ApiRequest, exchange } from './api-request.js';
import { DEFAULT_WAIT_MS, isRedirect, isRefusal, judgeReply, parseJson } from './judge-reply.js';
import type { SendUnauthorized } from './token-endpoint.js';

/** Milliseconds before its expiry at which a token is renewed. */
const EXPIRY_MARGIN_MS = MINUTE_MS;
/** Longest wait in the middle of a page, in milliseconds, and how often one question is repeated after such a wait. */
const LONGEST_PATIENCE_MS = DEFAULT_WAIT_MS;
const MOST_REPETITIONS = 5;

/** How a platform knows who asks, and says that it will not answer. */
export interface Authority {
  /** Headers that carry the credentials. */
  authorize(values: FieldValues): Readonly<Record<string, string>>;
  /** Gets new tokens where the old ones are refused; the result is stored before it is used. */
  refresh?(values: FieldValues, send: SendUnauthorized): Promise<FieldValues>;
  /**
   * What a refusal (4xx) or a redirect (3xx) means, where the reply tells more than its status. It is not asked about a 429, nor
   * about a 403 that is a page: a firewall writes of access and permission whatever the credentials are.
   */
  refusal?(reply: OutboundReply): PlatformFault | undefined;
  /** Milliseconds to wait after a 429, where the platform has another way to say it than Retry-After. */
  retryAfterMs?(reply: OutboundReply): number | undefined;
}

export interface SessionOptions {
  readonly platform: Authority;
  readonly values: FieldValues;
  readonly client: OutboundClient;
  readonly signal: AbortSignal;
  /** Gets new tokens and stores them, unless somebody else has meanwhile. @param refused the values that do not work */
  readonly renew: (refused: FieldValues) => Promise<FieldValues>;
}

/** Requests to a platform with a connector's credentials, and what its answers mean. */
export class ApiSession {
  private current: FieldValues;
  private readonly answers = new Map<string, Promise<unknown>>();

  constructor(private readonly options: SessionOptions) {
    this.current = options.values;
  }

  get values(): FieldValues {
    return this.current;
  }

  /** A field that is required or has a fallback. */
  value(name: string): string {
    const value = this.current[name];
    if (value === undefined) throw new Error(`the connector has no ${name}`);
    return value;
  }

  /**
   * Sends a request, with renewed credentials once more where they are refused.
   * @returns the reply, whose status is 2xx or one of `accepted`
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

  /** As {@link send}, and reads the reply as JSON. */
  async json<Body>(request: ApiRequest): Promise<{ body: Body; reply: OutboundReply }> {
    const reply = await this.send(request);
    return { body: parseJson(reply, new URL(request.url).hostname) as Body, reply };
  }

  /**
   * Repeats a question about one record of a page after the short waits that the platform asks for. If the page were begun
   * anew instead, it would use up the same allowance again, and a platform that allows fewer requests than the page needs
   * would be asked for it for ever.
   * @throws {PlatformFault} `wait` where the platform goes on refusing, or the session ends meanwhile
   */
  async patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let repetitions = 0; ; repetitions += 1) {
      try {
        return await ask();
      } catch (fault) {
        const waits = fault instanceof PlatformFault && fault.kind === 'wait' && fault.waitMs <= LONGEST_PATIENCE_MS;
        if (!waits || repetitions === MOST_REPETITIONS) throw fault;
        await pause(fault.waitMs, undefined, { signal: this.options.signal }).catch(() => {
          throw fault;
        });
      }
    }
  }

  /** Asks once for what does not change while the session lasts. @param about tells the questions apart */
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
