import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { CODES } from '../../src/platform/http/api-problem.js';
import { isUnderODataRoot } from '../../src/platform/http/odata.js';

type Json = Record<string, unknown>;

/** Larger bodies are not parsed a second time: their rows are all alike. */
const MAX_CHECKED_LENGTH = 2_000_000;
/** Headers that clients act on, so the document must describe them wherever they occur. */
const DOCUMENTED_HEADERS = [
  'location',
  'retry-after',
  'link',
  'etag',
  'preference-applied',
  'content-disposition',
  'idempotent-replayed',
  'www-authenticate',
  'odata-version',
];
/** The document's key in Ajv. */
const DOCUMENT = 'openapi';
const PROBLEM: Json = { $ref: '#/components/schemas/ProblemBody' };
const ODATA_ERROR: Json = { $ref: '#/components/schemas/ODataError' };

/**
 * Validates responses against the OpenAPI document: the status and media type must be among those of the operation, a JSON body must match
 * its schema, and an error code must be one that it lists. Stricter than the document in one respect: an object in a response may only have
 * members that the document lists.
 */
export class Contract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  private readonly validators = new Map<Json, ValidateFunction>();
  private readonly document: OpenAPIObject;

  constructor(document: OpenAPIObject) {
    this.document = structuredClone(document);
    for (const schema of Object.values(this.document.components?.schemas ?? {})) close(schema as Json);
    Object.assign(this.document.components?.schemas?.['ProblemBody'] ?? {}, { additionalProperties: false });
    // ajv-formats is CommonJS: its default export is the function itself under some loaders, a member of it under others
    (typeof formats === 'function' ? formats : formats.default)(this.ajv);
    // responses shared by several operations are compiled only once
    this.ajv.addSchema({ components: this.document.components }, DOCUMENT);
  }

  /**
   * @param route path as in the document, for example `/api/v1/runs/{run_id}`; undefined if no route matched
   * @returns violations of the contract, one line each
   */
  faults(
    method: string,
    route: string | undefined,
    reply: { status: number; contentType: string; headers: readonly string[]; body: string | undefined; url: string },
  ): string[] {
    const type = reply.contentType.split(';')[0]!.trim();
    const operation = (this.document.paths[route ?? ''] as Record<string, Json> | undefined)?.[method.toLowerCase()];
    if (operation === undefined) return this.unrouted(type, reply);
    const responses = operation['responses'] as Record<string, Json>;
    const found = responses[reply.status];
    if (found === undefined) return [`the status ${reply.status} is not documented: ${reply.body?.slice(0, 200)}`];
    const reference = found['$ref'] as string | undefined;
    const name = reference?.replace('#/components/responses/', '');
    const response = name === undefined ? found : (this.document.components?.responses?.[name] as unknown as Json);
    const headers = Object.keys((response['headers'] ?? {}) as Json).map((header) => header.toLowerCase());
    const missing = DOCUMENTED_HEADERS.find((header) => reply.headers.includes(header) && !headers.includes(header));
    if (missing !== undefined) return [`the header ${missing} is not documented for ${reply.status}`];
    const content = response['content'] as Record<string, Json> | undefined;
    if (!reply.body) return content && reply.body === '' && reply.status < 300 ? ['the reply has no body'] : [];
    if (content === undefined) return [`${reply.status} is documented without a body`];
    if (content[type] === undefined) return [`the media type ${type} is not documented for ${reply.status}`];
    if (!type.includes('json')) return [];
    const faults = this.check(content[type]['schema'] as Json, reply.body);
    return faults.length === 0 && reply.status >= 400 ? undocumentedCode(response, reply.body) : faults;
  }

  /** A response outside our routes must still be a problem; Swagger's own files are exempt. */
  private unrouted(type: string, reply: { status: number; body: string | undefined; url: string }): string[] {
    if (reply.status < 400 || !reply.body) return [];
    if (isUnderODataRoot(reply.url)) {
      if (type !== 'application/json') return [`a refusal of type ${type}, not an OData error`];
      const { error } = JSON.parse(reply.body) as Json;
      return this.check(ODATA_ERROR, JSON.stringify(error ?? null));
    }
    if (type !== 'application/problem+json') return [`a refusal of type ${type}, not a problem`];
    return this.check(PROBLEM, reply.body);
  }

  private check(schema: Json, body: string): string[] {
    let validate = this.validators.get(schema);
    if (!validate) {
      validate = this.ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT}#/`)) as Json);
      this.validators.set(schema, validate);
    }
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch (error) {
      return [`the body is not JSON: ${(error as Error).message}`];
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 5).map((error) => {
      const extra = error.params['additionalProperty'] as string | undefined;
      return `${error.instancePath || 'body'} ${error.message}${extra === undefined ? '' : ` (${extra})`}`;
    });
  }
}

function textOf(reply: FastifyReply, payload: unknown): string | undefined {
  if (!Buffer.isBuffer(payload)) return typeof payload === 'string' ? payload : undefined;
  return (reply.getHeader('content-encoding') === 'gzip' ? gunzipSync(payload) : payload).toString('utf8');
}

/** The code of an error, in either format, if the document does not list it. */
function undocumentedCode(response: Json, body: string): string[] {
  const { code, error } = JSON.parse(body) as { code?: string; error?: { code?: string } };
  const actual = code ?? error?.code;
  return (response[CODES] as readonly unknown[]).includes(actual) ? [] : [`the code ${actual} is not documented`];
}

/** Forbids unlisted members, in every object schema that lists properties. */
function close(schema: Json): void {
  if (schema['properties'] && !schema['allOf'] && !schema['anyOf'] && !schema['oneOf']) {
    schema['additionalProperties'] ??= false;
  }
  for (const part of Object.values((schema['properties'] ?? {}) as Record<string, Json>)) close(part);
  if (schema['items']) close(schema['items'] as Json);
}

const contracts = new WeakMap<OpenAPIObject, Contract>();

/** One contract for all services validated against the same document: compiling its schemas takes a tenth of a second. */
function contractOf(document: OpenAPIObject): Contract {
  const contract = contracts.get(document) ?? new Contract(document);
  contracts.set(document, contract);
  return contract;
}

/**
 * Validates every response of a test's service, whoever sent the request.
 * @returns the faults found so far, each with its request
 */
export function watchContract(fastify: FastifyInstance, document: OpenAPIObject): readonly string[] {
  const faults: string[] = [];
  fastify.addHook('onSend', (request: FastifyRequest, reply: FastifyReply, payload: unknown, done) => {
    const text = textOf(reply, payload);
    if (text !== undefined && text.length > MAX_CHECKED_LENGTH) return done();
    const contract = contractOf(document);
    // a wrong method belongs to no operation, even if the router matched the path to another route
    const url = reply.statusCode === 405 ? undefined : request.routeOptions.url;
    const route = url?.replace(/:([a-z_]+)/g, '{$1}');
    const found = contract.faults(request.method, route, {
      status: reply.statusCode,
      contentType: String(reply.getHeader('content-type') ?? ''),
      headers: Object.keys(reply.getHeaders()),
      body: payload === undefined || payload === null ? '' : text,
      url: request.url,
    });
    if (reply.statusCode === 401 && !reply.hasHeader('www-authenticate')) found.push('a 401 has no WWW-Authenticate');
    for (const fault of found.slice(0, 1))
      faults.push(`${request.method} ${request.url} ${reply.statusCode}: ${fault}`);
    done();
  });
  return faults;
}
