import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS } from '../../platform/durations.js';
import { PlatformFault } from '../platform-fault.js';
import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';
import type { FieldValues } from '../field.js';

/** Longest wait that a platform is believed, in milliseconds: a day, after which a daily allowance is new. */
const LONGEST_WAIT = DAY_MS;
const DEFAULT_WAIT = 60_000;
/** Milliseconds before its expiry at which a token is renewed. */
const EXPIRY_MARGIN = 60_000;
/** Longest wait in the middle of a page, in milliseconds, and how often one question is repeated after such a wait. */
const LONGEST_PATIENCE = DEFAULT_WAIT;
const MOST_REPETITIONS = 5;
/** Errors of RFC 6749 section 5.2 after which the same credentials never work again. */
const DEAD_GRANTS = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);
/** Statuses of a shop that owes money or is locked, and of a firewall: they are not about what was asked for. */
const CLOSED = new Set([402, 403, 423]);

/** How a platform knows who asks, and says that it will not answer. */
export interface Authority {
  /** Headers that carry the credentials. */
  authorize(values: FieldValues): Readonly<Record<string, string>>;
  /** Gets new tokens where the old ones are refused; the result is stored before it is used. */
  refresh?(values: FieldValues, send: SendUnauthorized): Promise<FieldValues>;
  /**
   * What a refusal (4xx) means, where the reply tells more than its status. It is not asked about a 429, nor about a 403 that is
   * a page: a firewall writes of access and permission whatever the credentials are.
   */
  refusal?(reply: OutboundReply): PlatformFault | undefined;
  /** Milliseconds to wait after a 429, where the platform has another way to say it than Retry-After. */
  retryAfterMs?(reply: OutboundReply): number | undefined;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST';
  readonly url: string | URL;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to a token endpoint. @throws {PlatformFault} as the session does, 400 and 401 judged by their error code */
export type SendUnauthorized = (request: ApiRequest) => Promise<Readonly<Record<string, unknown>>>;

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
    const refusal = isRefusal(reply) ? platform.refusal?.(reply) : undefined;
    if (refusal) throw refusal;
    if (reply.status === 401) {
      throw PlatformFault.reconnect('credentials_refused', `${host} refuses the credentials.`);
    }
    judge(reply, host, platform.retryAfterMs?.(reply));
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
        const waits = fault instanceof PlatformFault && fault.kind === 'wait' && fault.waitMs <= LONGEST_PATIENCE;
        if (!waits || repetitions === MOST_REPETITIONS) throw fault;
        await pause(fault.waitMs, undefined, { signal: this.options.signal }).catch(() => {
          throw fault;
        });
      }
    }
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

/** Asks a token endpoint (RFC 6749). @throws {PlatformFault} `reconnect` where it says that the grant is dead */
export async function askForToken(
  client: OutboundClient,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const reply = await exchange(client, { method: 'POST', ...request }, signal);
  const host = new URL(request.url).hostname;
  if (reply.status === 400 || reply.status === 401) {
    const error = errorCode(reply);
    if (error !== undefined && DEAD_GRANTS.has(error)) {
      throw PlatformFault.reconnect(error, `${host} grants no more access (${error}).`);
    }
  }
  judge(reply, host, undefined);
  return parseJson(reply, host) as Record<string, unknown>;
}

async function exchange(client: OutboundClient, request: ApiRequest, signal: AbortSignal): Promise<OutboundReply> {
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  return client.send(
    {
      method: request.method ?? 'GET',
      url,
      headers: { accept: 'application/json', ...request.headers },
      body: request.body,
    },
    signal,
  );
}

/** Whether there is no token, or one that is about to expire. */
function isSpent(values: FieldValues): boolean {
  const expiry = values['access_token_expires_at'] ?? '';
  return values['access_token'] === undefined || (expiry !== '' && Date.parse(expiry) < Date.now() + EXPIRY_MARGIN);
}

function isRefusal({ status, body }: OutboundReply): boolean {
  const isOfFirewall = status === 403 && /^\s*<(!doctype )?html/i.test(body);
  return status >= 400 && status < 500 && status !== 429 && !isOfFirewall;
}

function judge(reply: OutboundReply, host: string, platformsWait: number | undefined): void {
  const { status } = reply;
  if (status >= 200 && status < 300) return;
  if (status === 429) {
    throw PlatformFault.wait(Math.min(LONGEST_WAIT, platformsWait ?? retryAfterMs(reply) ?? DEFAULT_WAIT));
  }
  if (status >= 500 || status === 408) {
    throw PlatformFault.passing('platform_error', `${host} answered ${status}.`, retryAfterMs(reply));
  }
  if (status >= 300 && status < 400) {
    const message = `${host} redirects elsewhere, which is not followed: give its final address.`;
    throw PlatformFault.closed('redirected', message, status);
  }
  const message = `${host} answered ${status}.`;
  if (CLOSED.has(status)) throw PlatformFault.closed('request_refused', message, status);
  throw PlatformFault.refused('request_refused', message, status);
}

function retryAfterMs({ headers }: OutboundReply): number | undefined {
  const given = headers['retry-after'];
  if (given === undefined) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now();
  // Zero and the past say nothing: a platform that is asked again at once refuses again.
  return wait > 0 ? Math.max(1_000, wait) : undefined;
}

/** @throws {PlatformFault} passing: what answers with a page instead of JSON is mostly under repair */
export function parseJson(reply: OutboundReply, host: string): unknown {
  try {
    return JSON.parse(reply.body);
  } catch {
    throw PlatformFault.passing('malformed_reply', `${host} answered with something that is not JSON.`);
  }
}

function errorCode(reply: OutboundReply): string | undefined {
  try {
    const { error } = JSON.parse(reply.body) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
