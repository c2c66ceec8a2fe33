import type { OpenAPIObject } from '@nestjs/swagger';
import { REQUEST_CONTENT } from '../../platform/http/openapi/api-request-content.js';
import { exampleOf } from './example.js';
import { type Components, type JsonSchema, resolve } from './schema.js';
import { exampleFault } from './fault.js';
import { documentODataErrors } from './odata.js';
import { type MediaType, type Operation, type Parameter, type Response, type Route, routesOf } from './operation.js';
import { withProblemMembers } from './problem-members.js';
import { addSharedRefusals, documentReplays, finishResponse, sharedResponses } from './replies.js';
import { nameTitled } from './names.js';
import { documentPathParameters } from './path-parameters.js';
import { describeSharedFields } from './shared-fields.js';
import { describeTags } from './tags.js';

/**
 * Completes the document that the decorators produce: with what all operations have in common (request id, refusals of the
 * framework, closed request bodies, no security if none is required) and an example for every body.
 */
export function finishOpenApi(document: OpenAPIObject): OpenAPIObject {
  const components = (document.components ??= {});
  const schemas = (components.schemas ??= {}) as Record<string, JsonSchema>;
  components.headers = { ...components.headers, ...SHARED_HEADERS };
  components.responses = Object.assign(components.responses ?? {}, sharedResponses());
  document.info.license = { name: 'Proprietary', ...{ identifier: 'LicenseRef-Proprietary' } };

  schemas['ProblemBody'] = withProblemMembers(schemas['ProblemBody'] ?? {});
  document.paths = nameTitled(document.paths, schemas);
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = describeSharedFields(schema);
  fixNumbers(document);
  const routes = routesOf(document);
  for (const route of routes) finishOperation(route, schemas);
  for (const { patch } of Object.values(document.paths)) requireChanges(patch as Operation | undefined, schemas);
  documentODataErrors(routes, components.responses as Record<string, Response>, schemas);
  document.tags = describeTags(new Set(routes.flatMap(({ operation }) => operation.tags ?? [])));
  return document;
}

const SHARED_HEADERS: NonNullable<OpenAPIObject['components']>['headers'] = {
  RequestId: {
    description: 'Identifies the request in the logs of the service.',
    schema: { type: 'string', format: 'uuid' },
  },
  WwwAuthenticate: {
    description: 'The authentication schemes that the route accepts (RFC 9110, section 11.6.1).',
    schema: { type: 'string' },
    example: 'Bearer realm="app"',
  },
  RetryAfter: {
    description: 'Number of seconds after which to retry the request (RFC 9110, section 10.2.3).',
    schema: { type: 'string' },
    example: '5',
  },
  IdempotentReplayed: {
    description: 'Present if this response is a replay of the first response to the Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
};

function finishOperation(route: Route, schemas: Record<string, JsonSchema>): void {
  const { operation } = route;
  operation.security = eachOnce(operation.security ?? []);
  documentPathParameters(route);
  for (const parameter of operation.parameters ?? []) describeExample(parameter, schemas);
  if (operation[REQUEST_CONTENT]) operation.requestBody = { required: true, content: operation[REQUEST_CONTENT] };
  delete operation[REQUEST_CONTENT];
  if (operation.requestBody) closeBodies(operation.requestBody.content ?? {}, schemas);
  addSharedRefusals(route);
  documentReplays(operation);
  const fault = exampleFault(operation, schemas);
  for (const [status, response] of Object.entries(operation.responses)) finishResponse(Number(status), response, fault);
  for (const body of [operation.requestBody, ...Object.values(operation.responses)])
    addExamples(body?.content ?? {}, schemas);
}

/** A handler that requires another role than its controller repeats the security scheme. */
function eachOnce(schemes: readonly unknown[]): unknown[] {
  return [...new Map(schemes.map((scheme) => [JSON.stringify(scheme), scheme])).values()];
}

/** Unknown members of a body are refused (400), so the schemas of bodies are closed, at every level. */
function closeBodies(content: Record<string, MediaType>, schemas: Record<string, JsonSchema>): void {
  const seen = new Set<JsonSchema>();
  const close = (reference: JsonSchema): void => {
    const schema = resolve(reference, schemas);
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema.properties && !schema.allOf) schema.additionalProperties ??= false;
    for (const part of Object.values(schema.properties ?? {})) close(part);
    for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) close(part);
    if (schema.items) close(schema.items);
  };
  for (const { schema } of Object.values(content)) if (schema) close(schema);
}

/** A PATCH that changes nothing is refused (400), so the schema of its body requires a member if it would otherwise require none. */
function requireChanges(operation: Operation | undefined, schemas: Record<string, JsonSchema>): void {
  for (const { schema } of Object.values(operation?.requestBody?.content ?? {})) {
    const body = schema && resolve(schema, schemas);
    if (body && !body.required) body.minProperties = 1;
  }
}

/**
 * Moves the examples of optional query parameters into their descriptions: Swagger UI would fill them into its form, and an
 * unintended filter would empty the list. Path parameters, without which there is no request, all have one.
 */
function describeExample(parameter: Parameter, components: Components): void {
  if (parameter.in === 'path' && parameter.schema && parameter.example === undefined)
    parameter.schema = { ...parameter.schema, example: exampleOf(parameter.schema, components) };
  if (parameter.in !== 'query' || parameter.required === true) return;
  const { example: own, ...schema } = parameter.schema ?? {};
  const example = parameter.example ?? own;
  delete parameter.example;
  if (parameter.schema) parameter.schema = schema;
  if (typeof example === 'string' && !parameter.description?.includes(example)) {
    parameter.description = [parameter.description, `For example \`${example}\`.`].filter(Boolean).join(' ');
  }
}

/**
 * The decorators support exclusive bounds only as flags, as in OpenAPI 3.0; in 3.1 they are numbers. Numbers are doubles: without a
 * format, some generated clients keep only seven digits (`float32` in Go).
 */
function fixNumbers(part: unknown): void {
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
  if ([schema['type']].flat().includes('number')) schema['format'] ??= 'double';
  Object.values(schema).forEach(fixNumbers);
}

function addExamples(content: Record<string, MediaType>, components: Components): void {
  for (const [type, media] of Object.entries(content)) {
    if (!type.includes('json') || !media.schema || media.examples !== undefined) continue;
    media.example ??= exampleOf(media.schema, components);
  }
}
