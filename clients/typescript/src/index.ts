import type { components, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';

type Method = 'get' | 'post' | 'patch';
type PathsWith<M extends Method> = { [P in keyof paths]: paths[P][M] extends object ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P][M];

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined;
/** Body of the successful replies of an operation. */
type Reply<Op> = Op extends { responses: infer R }
  ? { [S in keyof R & (200 | 201 | 202 | 204)]: Json<R[S]> }[keyof R & (200 | 201 | 202 | 204)]
  : never;
type JsonContent<Value> = { content: { 'application/json': Value } };
type MayHave<Name extends string, Value> = { readonly [N in Name]?: Value };
type MustHave<Name extends string, Value> = { readonly [N in Name]: Value };
type Parameters<Op, In extends 'path' | 'query'> = Op extends { parameters: { [I in In]: infer Values } }
  ? MustHave<In, Values>
  : Op extends { parameters: { [I in In]?: infer Values extends object } }
    ? MayHave<In, Values>
    : unknown;
type Body<Op> = Op extends { requestBody: JsonContent<infer Value> }
  ? MustHave<'body', Value>
  : Op extends { requestBody?: never }
    ? unknown
    : Op extends { requestBody?: JsonContent<infer Value> }
      ? MayHave<'body', Value>
      : unknown;

interface Common {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
type Options<Op> = Common & Parameters<Op, 'path'> & Parameters<Op, 'query'> & Body<Op>;
/** Options may be left out where the operation requires none. */
type Arguments<Op> = Common extends Options<Op> ? [options?: Options<Op>] : [options: Options<Op>];

/** Options of whatever operation. */
interface Request extends Common {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

type Problem = Partial<components['schemas']['ProblemBody']>;

/** An error response of the service: RFC 9457 problem details. `code` is stable. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** Seconds after which to retry the same request, if the service says so (409, 429, 503). */
  readonly retryAfter: number | undefined;
  readonly errors: readonly { readonly param: string; readonly message: string }[];
  /** All members, such as the `report` of a rejected upload or `resets_at` of an exceeded quota. */
  readonly body: Problem;

  constructor(status: number, body: Problem, retryAfter?: number) {
    super(body.detail ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.requestId = body.request_id;
    this.retryAfter = retryAfter;
    this.errors = body.errors ?? [];
    this.body = body;
  }
}

export interface ClientOptions {
  /** URL of the service, for example https://forecasts.example.com, including the path if it is served under one, or of its API (`…/api/v1`). */
  readonly url: string;
  readonly apiKey: string;
}

/** Typed calls of the API, with the paths, parameters, bodies and responses of the OpenAPI document. */
export class ForecastingClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get<P extends PathsWith<'get'>>(path: P, ...[options]: Arguments<Operation<P, 'get'>>): Promise<Reply<Operation<P, 'get'>>> {
    return this.#json('GET', path, options);
  }

  post<P extends PathsWith<'post'>>(path: P, ...[options]: Arguments<Operation<P, 'post'>>): Promise<Reply<Operation<P, 'post'>>> {
    return this.#json('POST', path, options);
  }

  patch<P extends PathsWith<'patch'>>(path: P, ...[options]: Arguments<Operation<P, 'patch'>>): Promise<Reply<Operation<P, 'patch'>>> {
    return this.#json('PATCH', path, options);
  }

  /** Yields the items of a list over all its pages. */
  async *list<P extends PathsWith<'get'>>(
    path: P,
    ...[options]: Arguments<Operation<P, 'get'>>
  ): AsyncGenerator<Reply<Operation<P, 'get'>> extends readonly (infer Item)[] ? Item : never> {
    let reply = await this.#send('GET', this.#address(path, options), options);
    for (;;) {
      yield* (await reply.json()) as never[];
      const next = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
      if (next === undefined) return;
      reply = await this.#send('GET', new URL(next, this.#options.url), options);
    }
  }

  async #json<Result>(method: string, path: string, options?: Request): Promise<Result> {
    const reply = await this.#send(method, this.#address(path, options), options);
    return (reply.status === 204 ? undefined : await reply.json()) as Result;
  }

  #address(path: string, options: Request = {}): URL {
    const values = (options.path ?? {}) as Record<string, unknown>;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
    const url = new URL(this.#options.url.replace(/\/$/, '').replace(/\/api\/v1$/, '') + filled);
    for (const [name, value] of Object.entries((options.query ?? {}) as Record<string, unknown>)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  /** @throws {ApiProblem} if the service responds with an error */
  async #send(method: string, url: URL, options: Request = {}): Promise<Response> {
    const reply = await fetch(url, {
      method,
      headers: {
        'x-api-key': this.#options.apiKey,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    if (reply.ok) return reply;
    const told = reply.headers.get('content-type')?.includes('json') === true;
    const wait = Number(reply.headers.get('retry-after') ?? NaN); // a proxy in front may give a date
    throw new ApiProblem(reply.status, told ? ((await reply.json()) as Problem) : {}, Number.isNaN(wait) ? undefined : wait);
  }
}
