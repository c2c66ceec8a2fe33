/** An error in the input, for people and programs. */
export interface ParameterFault {
  /** The query parameter, body field (dotted path) or header in question. */
  readonly param: string;
  readonly message: string;
}

export interface ProblemOptions {
  readonly errors?: readonly ParameterFault[];
  /** Extension members of the problem body (RFC 9457, section 3.2), for example `quota`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Media type of refusals (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';

/**
 * The only way to refuse a request: thrown anywhere, rendered as application/problem+json by the problem filter. `code` is stable
 * and listed in docs/api-errors.md; `detail` is a sentence for people.
 */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly options: ProblemOptions = {},
  ) {
    super(`${code}: ${detail}`);
  }

  /** 400: the named parameters are invalid. */
  static invalid(errors: readonly ParameterFault[]): Problem {
    const detail = errors.map((fault) => `${fault.param}: ${fault.message}`).join('; ');
    return new Problem(400, 'invalid_request', detail, { errors });
  }

  /**
   * 401, with the challenge that such a reply must carry (RFC 9110, section 11.6.1).
   * @param challenge how to authenticate; by default with a session
   */
  static unauthenticated(code: string, detail: string, challenge = 'Bearer realm="app"'): Problem {
    return new Problem(401, code, detail, { headers: { 'www-authenticate': challenge } });
  }

  /** 404, with the same wording for what does not exist and what belongs to another tenant. */
  static notFound(what: string, where?: string): Problem {
    return new Problem(404, 'not_found', `The ${what} does not exist.${where === undefined ? '' : ` ${where}`}`);
  }

  /** 429. @param seconds after which the caller may try again */
  static tooMany(seconds: number, detail: string, code = 'too_many_requests'): Problem {
    return new Problem(429, code, detail, { headers: { 'retry-after': String(seconds) } });
  }

  /** 503 for a transient state; the caller should retry. @param why a sentence */
  static notReady(why: string): Problem {
    return new Problem(503, 'not_ready', `${why} Retry the request shortly.`, { headers: { 'retry-after': '5' } });
  }
}
