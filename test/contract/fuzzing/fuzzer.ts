import type { OpenAPIObject } from '@nestjs/swagger';
import { Contract } from '../../support/contract.js';
import type { TestService } from '../../support/test-service.js';
import { PICK } from './from-schema.js';
import { asText, type FuzzRequest } from './requests.js';
import { type FuzzTenant, renewCredentials } from './tenants.js';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Ids remembered; the oldest are forgotten so that the newest things are found too. */
const REMEMBERED = 400;
/** What only the inside of the service knows and no reply may tell. */
const LEAKS = /node_modules|\bat [\w.<>]+ \(|SELECT .+ FROM|duplicate key value|violates .+ constraint/;

/** Sends fuzzed requests and collects what is wrong with the replies. */
export class Fuzzer {
  readonly statuses = new Map<number, number>();
  private readonly faults = new Map<string, string>();
  private readonly contract: Contract;
  private readonly ids: string[] = [];
  private sent = 0;

  constructor(
    private readonly service: TestService,
    document: OpenAPIObject,
    private readonly tenant: FuzzTenant,
    private readonly other: FuzzTenant,
    seeds: readonly string[],
  ) {
    this.contract = new Contract(document);
    this.ids.push(...seeds);
  }

  /** One line per operation and kind of fault. */
  report(): string[] {
    return [...this.faults].map(([kind, request]) => `${kind}\n    ${request}`);
  }

  async send(request: FuzzRequest): Promise<void> {
    if (this.sent % 50 === 0) {
      await renewCredentials(this.service, this.tenant);
      await renewCredentials(this.service, this.other);
    }
    this.sent += 1;
    const { url, init } = this.toFetch(request);
    let reply: Response;
    let body: string;
    try {
      reply = await fetch(url, { ...init, redirect: 'manual' });
      body = await reply.text();
    } catch (error) {
      this.note(request, `no reply: ${String((error as Error).cause ?? error)}`, url, init);
      return;
    }
    this.statuses.set(reply.status, (this.statuses.get(reply.status) ?? 0) + 1);
    this.remember(body);
    for (const fault of this.judge(request, reply, body)) this.note(request, fault, url, init);
  }

  private judge(request: FuzzRequest, reply: Response, body: string): string[] {
    const faults: string[] = [];
    // the only answers from 500 up that are no fault: what the operator has switched off or not set up, and what OData has and we have not
    if (reply.status >= 500 && !/"code":"(public_api_disabled|\w+_not_configured|not_implemented)"/.test(body))
      faults.push(`${reply.status} ${body.slice(0, 200)}`);
    if (!reply.headers.get('x-request-id')) faults.push('no X-Request-Id');
    if (request.strayQuery && reply.status < 300) faults.push('takes an unknown or repeated query parameter');
    if (LEAKS.test(body) && reply.status >= 400) faults.push(`tells of its inside: ${body.slice(0, 300)}`);
    if (request.credentials === 'other' && body.includes(this.tenant.marker))
      faults.push(`shows another tenant's data`);
    const route =
      new URL(reply.url).pathname.split('/').length === request.route.split('/').length ? request.route : undefined;
    const contentType = reply.headers.get('content-type') ?? '';
    return [
      ...faults,
      ...this.contract
        .faults(request.method, route, {
          status: reply.status,
          contentType,
          headers: [...reply.headers.keys()],
          body,
          url: new URL(reply.url).pathname,
        })
        .slice(0, 1),
    ];
  }

  private note(request: FuzzRequest, fault: string, url: string, init: RequestInit): void {
    const kind = `${request.method} ${request.route}: ${fault.slice(0, 160)}`;
    if (this.faults.has(kind)) return;
    const headers = JSON.stringify({ ...(init.headers as object), authorization: undefined, 'x-api-key': undefined });
    this.faults.set(kind, `${request.credentials} ${url} ${headers} ${asText(init.body ?? '').slice(0, 300)}`);
  }

  private toFetch(request: FuzzRequest): { url: string; init: RequestInit } {
    const values = [...request.pathValues];
    const path = request.route.replaceAll(/\{\w+\}/g, () => this.encoded(this.real(values.shift() ?? '')));
    const query = request.query.map(([name, value]) => `${this.encoded(name)}=${this.encoded(this.real(value))}`);
    const body = request.method === 'GET' ? undefined : request.body;
    const headers: Record<string, string> = { ...request.headers, ...this.credentials(request) };
    if (body) headers['content-type'] = body.type;
    return {
      url: `${this.service.url}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      init: { method: request.method, headers, ...(body ? { body: this.real(asText(body.value)) } : {}) },
    };
  }

  /** Sends both kinds of credentials: the operation takes the one it wants. */
  private credentials({ credentials }: FuzzRequest): Record<string, string> {
    if (credentials === 'none') return {};
    if (credentials === 'wrong') return { 'x-api-key': 'fk_nonsense', authorization: 'Bearer nonsense' };
    const tenant = credentials === 'right' ? this.tenant : this.other;
    return { 'x-api-key': tenant.apiKey, authorization: `Bearer ${tenant.session}` };
  }

  private real(text: string): string {
    return text.replaceAll(new RegExp(`${PICK}(\\d+)`, 'g'), (_, n: string) => this.ids[Number(n) % this.ids.length]!);
  }

  /** Unpaired surrogates cannot be encoded; they go as the bytes that a careless client would send. */
  private encoded(text: string): string {
    return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
  }

  private remember(body: string): void {
    for (const [id] of body.slice(0, 20_000).matchAll(UUID)) if (!this.ids.includes(id)) this.ids.push(id);
    // the seeds are the first ten
    if (this.ids.length > REMEMBERED) this.ids.splice(10, this.ids.length - REMEMBERED);
  }
}
