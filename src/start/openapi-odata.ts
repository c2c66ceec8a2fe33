import { ODATA_ROOT } from '../platform/http/odata.js';
import type { JsonSchema } from './openapi-example.js';
import type { Response } from './openapi-operation.js';

const PROBLEM = 'application/problem+json';
const ERROR_SCHEMA = 'ODataError';
const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** What went wrong, as OData JSON tells it. */
const ODATA_ERROR: JsonSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', example: 'invalid_request' },
    message: { type: 'string', example: '$filter: at character 13: expected a property, found the end' },
    target: { type: 'string', example: '$filter' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        properties: { code: { type: 'string' }, target: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

/**
 * Refusals of the feed in its own form: what the decorators tell as problems, in this operation are OData errors with the
 * same codes.
 * @param shared the responses that operations refer to
 */
export function tellODataErrors(
  responses: Record<string, Response>,
  shared: Readonly<Record<string, Response>>,
  schemas: Record<string, JsonSchema>,
): void {
  schemas[ERROR_SCHEMA] ??= ODATA_ERROR;
  for (const [status, response] of Object.entries(responses)) {
    const { description, headers, content } = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
    const told = {
      ...(description === undefined ? {} : { description }),
      headers: {
        ...headers,
        'OData-Version': { description: 'Always 4.0.', schema: { type: 'string', const: '4.0' } },
      },
    };
    const problem = content?.[PROBLEM];
    responses[status] = problem
      ? { ...told, content: { 'application/json': errorContent(problem.schema) } }
      : { ...told, ...(content && { content }) };
  }
}

function errorContent(problem: JsonSchema | undefined): { schema: JsonSchema; example: unknown } {
  const codes = problem?.allOf?.map((part) => part.properties?.['code']).find((code) => code?.enum);
  const error = codes
    ? { allOf: [refTo(ERROR_SCHEMA), { type: 'object', properties: { code: codes } }] }
    : refTo(ERROR_SCHEMA);
  return {
    schema: { type: 'object', required: ['error'], properties: { error } },
    example: { error: { code: codes?.enum?.[0] ?? 'invalid_request', message: 'What is wrong, for people.' } },
  };
}

export const isODataPath = (path: string): boolean => path.startsWith(ODATA_ROOT);
