import { lookup as resolveName, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { codeOf } from '../../platform/faults.js';
import { PlatformFault } from '../platform-fault.js';
import { mayReach } from './public-address.js';

/** Maximum size of a response in bytes. */
export const MAX_REPLY_BYTES = 32 * 1_048_576;
const REQUEST_DEADLINE_MS = 30_000;

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface OutboundReply {
  readonly status: number;
  /** Lowercase names; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface OutboundPolicy {
  /** Addresses and CIDR ranges that are permitted although they are not public. */
  readonly privateRanges: readonly string[];
  readonly plainHttp: boolean;
  /** Timeout of a whole request. */
  readonly deadlineMs?: number;
}

/** Resolves a name to all its addresses. */
export type ResolveName = (name: string, done: (fault: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveAll: ResolveName = (name, done) => resolveName(name, { all: true }, done);

/**
 * The only way in which connectors send requests. The name is resolved once per connection, forbidden addresses are dropped, and one of the
 * checked addresses is used, so that DNS cannot answer differently between check and connection. Redirects are not followed; the size and
 * duration of a response are bounded. Faults name the host, but never what was sent.
 */
export class OutboundClient {
  private readonly agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

  constructor(
    private readonly policy: OutboundPolicy,
    private readonly resolve: ResolveName = resolveAll,
  ) {}

  /** @throws {PlatformFault} */
  async send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply> {
    const host = this.checkedHost(request.url);
    const timeout = AbortSignal.timeout(this.policy.deadlineMs ?? REQUEST_DEADLINE_MS);
    try {
      return await this.exchange(request, host, signal ? AbortSignal.any([timeout, signal]) : timeout);
    } catch (fault) {
      if (fault instanceof PlatformFault) throw fault;
      if (timeout.aborted || (signal?.reason as Error | undefined)?.name === 'TimeoutError')
        throw PlatformFault.passing('timed_out', `${host} did not answer in time.`);
      if (signal?.aborted === true) throw PlatformFault.passing('interrupted', 'The service is stopping.');
      throw PlatformFault.passing('unreachable', `${host} cannot be reached (${codeOf(fault) || 'unknown'}).`);
    }
  }

  close(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private checkedHost({ protocol, hostname, username, password }: URL): string {
    if (protocol !== 'https:' && !(protocol === 'http:' && this.policy.plainHttp)) {
      throw PlatformFault.refused('address_refused', `${hostname} can only be reached over https://.`);
    }
    if (username !== '' || password !== '') {
      throw PlatformFault.refused('address_refused', 'A URL must not contain a user name or password.');
    }
    const literal = hostname.replace(/^\[|\]$/g, ''); // Node connects to these without a lookup
    if (isIP(literal) !== 0 && !mayReach(literal, this.policy.privateRanges)) throw notPublic(hostname);
    return hostname;
  }

  private readonly lookup: LookupFunction = (name, options, done) => {
    this.resolve(name, (fault, addresses) => {
      if (fault) return done(fault, []);
      const reachable = addresses.filter(({ address }) => mayReach(address, this.policy.privateRanges));
      const [first] = reachable;
      if (!first) return done(notPublic(name), []);
      if (options.all === true) done(null, reachable);
      else done(null, first.address, first.family);
    });
  };

  /** @param anew on a new connection instead of a kept-alive one */
  private exchange(request: OutboundRequest, host: string, signal: AbortSignal, anew = false): Promise<OutboundReply> {
    const { method, url, headers, body } = request;
    const plain = url.protocol === 'http:';
    const options = {
      method,
      headers: { 'user-agent': 'demand-forecasting', 'accept-encoding': 'identity', ...headers },
      lookup: this.lookup,
      signal,
    };
    return new Promise((resolve, reject) => {
      const receive = (reply: IncomingMessage): void => {
        readBody(reply, host).then(
          (text) => resolve({ status: reply.statusCode ?? 0, headers: joined(reply.headers), body: text }),
          (fault: Error) => {
            reply.destroy();
            reject(fault);
          },
        );
      };
      const sending = plain
        ? requestHttp(url, { ...options, agent: !anew && this.agents.http }, receive)
        : requestHttps(url, { ...options, agent: !anew && this.agents.https }, receive);
      sending.on('error', (fault) => {
        // the host closed the kept-alive connection just as it was reused: safe methods are retried once (RFC 9110, 9.2.2)
        const isStale = sending.reusedSocket && codeOf(fault) === 'ECONNRESET';
        if (isStale && method === 'GET') resolve(this.exchange(request, host, signal, true));
        else reject(fault);
      });
      sending.end(body);
    });
  }
}

async function readBody(reply: IncomingMessage, host: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_REPLY_BYTES) {
      throw PlatformFault.passing('reply_too_large', `${host} sent more than ${MAX_REPLY_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  // each file of a plugin may put a byte order mark before a WordPress site's output; decoding strips only one
  return new TextDecoder().decode(Buffer.concat(chunks)).replace(/^\uFEFF+/, '');
}

function joined(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
}

/** Applies to every request to the host; its name may resolve to a public address again. */
const notPublic = (host: string): PlatformFault =>
  PlatformFault.closed('address_refused', `${host} is not a public address.`);
