import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { REQUEST_CONTENT } from '../platform/http/api-request-content.js';
import { type Components, exampleOf, type JsonSchema, resolve } from './openapi-example.js';
import { isODataPath, tellODataErrors } from './openapi-odata.js';
import { describeTags } from './openapi-tags.js';

interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
  examples?: unknown;
}

interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: JsonSchema;
}

interface Operation {
  operationId?: string;
  description?: string;
  summary?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, MediaType> };
  [REQUEST_CONTENT]?: Record<string, MediaType>;
  responses: Record<string, Response>;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);
const PROBLEM = 'application/problem+json';
const PROBLEM_SCHEMA = '#/components/schemas/ProblemBody';

/** Refusals that the framework makes on any route, so that no controller need name them. */
const SHARED: readonly { name: string; status: number; code: string; description: string; bodyOnly: boolean }[] = [
  {
    name: 'InvalidRequest',
    status: 400,
    code: 'invalid_request',
    description: 'A parameter is unknown, repeated or wrong; `errors` names each.',
    bodyOnly: false,
  },
  {
    name: 'BodyTooLarge',
    status: 413,
    code: 'body_too_large',
    description: 'The body is larger than the route takes.',
    bodyOnly: true,
  },
  {
    name: 'UnsupportedMediaType',
    status: 415,
    code: 'unsupported_media_type',
    description: 'The Content-Type of the body is not one the route takes.',
    bodyOnly: true,
  },
  {
    name: 'TooManyRequests',
    status: 429,
    code: 'too_many_requests',
    description: 'Far more requests in a minute, or slow queries at once, than anybody needs; see Retry-After.',
    bodyOnly: false,
  },
  {
    name: 'InternalError',
    status: 500,
    code: 'internal_error',
    description: 'A fault of ours. The body says no more than the request_id to quote.',
    bodyOnly: false,
  },
  {
    name: 'NotReady',
    status: 503,
    code: 'not_ready',
    description: 'The database cannot be reached just now, or all its connections are in use; see Retry-After.',
    bodyOnly: false,
  },
];

/**
 * Completes the document that the decorators give: what holds for every operation alike (request id, the refusals of the
 * framework, closed request bodies, no security where none is asked), and an example for every body.
 */
export function finishOpenApi(document: OpenAPIObject): OpenAPIObject {
  const components = (document.components ??= {});
  const schemas = (components.schemas ??= {}) as Record<string, JsonSchema>;
  components.headers = {
    ...components.headers,
    RequestId: {
      description: 'Identifies the request in the log of the service.',
      schema: { type: 'string', format: 'uuid' },
    },
  };
  components.responses = Object.assign(components.responses ?? {}, sharedResponses());
  document.info.license = { name: 'Proprietary', ...{ identifier: 'LicenseRef-Proprietary' } };

  numericBounds(document);
  nameWorkspaces(document);
  const used = new Set<string>();
  for (const operation of operationsOf(document)) {
    for (const tag of operation.tags ?? []) used.add(tag);
    operation.security ??= [];
    for (const parameter of operation.parameters ?? []) tellExample(parameter);
    if (operation[REQUEST_CONTENT]) operation.requestBody = { required: true, content: operation[REQUEST_CONTENT] };
    delete operation[REQUEST_CONTENT];
    if (operation.requestBody) closeBodies(operation.requestBody.content ?? {}, schemas);
    for (const shared of SHARED) if (!shared.bodyOnly || operation.requestBody) addShared(operation.responses, shared);
    for (const [status, response] of Object.entries(operation.responses)) finishResponse(Number(status), response);
    for (const content of [operation.requestBody?.content, ...Object.values(operation.responses).map((r) => r.content)])
      addExamples(content ?? {}, schemas);
  }
  const shared = components.responses as Record<string, Response>;
  for (const operation of operationsOf(document, isODataPath)) tellODataErrors(operation.responses, shared, schemas);
  document.tags = describeTags(used);
  return document;
}

export function operationsOf(document: OpenAPIObject, ofPath: (path: string) => boolean = () => true): Operation[] {
  return Object.entries(document.paths)
    .filter(([path]) => ofPath(path))
    .flatMap(([, item]) =>
      Object.entries(item)
        .filter(([method]) => METHODS.has(method))
        .map(([, operation]) => operation as Operation),
    );
}

const WORKSPACE: Parameter = {
  name: 'workspace_id',
  in: 'path',
  required: true,
  example: '019a8f3c-0000-7000-8000-000000000001',
  schema: { type: 'string', format: 'uuid' },
};

/** The workspace in a path is read by the guard, not by handlers: the decorators do not tell of it. */
function nameWorkspaces(document: OpenAPIObject): void {
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.includes('{workspace_id}')) continue;
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      if (!METHODS.has(method)) continue;
      const parameters = (operation.parameters ??= []);
      if (!parameters.some(({ name }) => name === WORKSPACE.name)) parameters.unshift({ ...WORKSPACE });
    }
  }
}

function sharedResponses(): Record<string, Response> {
  return Object.fromEntries(
    SHARED.map(({ name, status, code, description }) => {
      const response: Response = {
        description: `${description} (\`${code}\`)`,
        content: {
          [PROBLEM]: {
            schema: {
              allOf: [{ $ref: PROBLEM_SCHEMA }, { type: 'object', properties: { code: { enum: [code] } } }],
            },
          },
        },
      };
      finishResponse(status, response);
      return [name, response];
    }),
  );
}

/** A route that documents the status for reasons of its own can answer with the shared code as well. */
function addShared(responses: Record<string, Response>, { name, status, code }: (typeof SHARED)[number]): void {
  const own = (responses[status] ??= { $ref: `#/components/responses/${name}` });
  const part = own.content?.[PROBLEM]?.schema?.allOf?.find((schema) => schema.properties?.['code']?.enum);
  const codes = part?.properties?.['code'];
  if (!codes?.enum || codes.enum.includes(code)) return;
  codes.enum = [...codes.enum, code];
  own.description = `${own.description ?? ''}`.replace(/\)$/, `, \`${code}\`)`);
}

function finishResponse(status: number, response: Response): void {
  if (response.$ref !== undefined) return;
  if (!response.description) response.description = STATUS_CODES[status] ?? 'Reply';
  response.headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...response.headers };
  const problem = response.content?.[PROBLEM];
  if (problem) problem.example ??= problemExample(status, response.description, problem.schema ?? {});
}

function problemExample(status: number, description: string, schema: JsonSchema): Record<string, unknown> {
  const codes = schema.allOf?.map((part) => part.properties?.['code']?.enum?.[0]);
  const code = codes?.find((value) => value !== undefined) ?? 'invalid_request';
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: description.replace(/ \(`.*$/, ''),
    code,
    request_id: '5f0c1a52-4b0f-4a34-9c5e-2f7f3f6f9a10',
    ...(code === 'invalid_request' ? { errors: [{ param: 'limit', message: 'must not be greater than 10000' }] } : {}),
  };
}

/** Unknown members of a body are refused (400), so the schemas of bodies say that they are closed, however deep. */
function closeBodies(content: Record<string, MediaType>, schemas: Record<string, JsonSchema>): void {
  const seen = new Set<JsonSchema>();
  const close = (reference: JsonSchema): void => {
    const schema = resolve(reference, schemas) as { additionalProperties?: boolean } & JsonSchema;
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema.properties && !schema.allOf) schema.additionalProperties ??= false;
    for (const part of Object.values(schema.properties ?? {})) close(part);
    for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) close(part);
    if (schema.items) close(schema.items);
  };
  for (const { schema } of Object.values(content)) if (schema) close(schema);
}

/**
 * Swagger UI fills examples into its form, and a filter that nobody asked for empties the list: for optional query
 * parameters the example goes into the description.
 */
function tellExample(parameter: Parameter): void {
  if (parameter.in !== 'query' || parameter.required === true) return;
  const { example: own, ...schema } = parameter.schema ?? {};
  const example = parameter.example ?? own;
  delete parameter.example;
  if (parameter.schema) parameter.schema = schema;
  if (typeof example === 'string' && !parameter.description?.includes(example)) {
    parameter.description = [parameter.description, `For example \`${example}\`.`].filter(Boolean).join(' ');
  }
}

/** The decorators know exclusive bounds only as OpenAPI 3.0 wrote them, as flags; in 3.1 they are numbers. */
function numericBounds(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  const schema = part as Record<string, unknown>;
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (schema[exclusive] === true) {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    }
  }
  Object.values(schema).forEach(numericBounds);
}

function addExamples(content: Record<string, MediaType>, components: Components): void {
  for (const [type, media] of Object.entries(content)) {
    if (!type.includes('json') || !media.schema || media.examples !== undefined) continue;
    media.example ??= exampleOf(media.schema, components);
  }
}
