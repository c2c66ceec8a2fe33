import { CODES } from '../../platform/http/api-problem.js';
import { ODATA_ROOT } from '../../platform/http/odata.js';
import { PROBLEM_JSON } from '../../platform/http/problem.js';
import type { JsonSchema } from './schema.js';
import type { Response, Route } from './operation.js';

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** An error in OData JSON. */
const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ODataErrorBody: {
    type: 'object',
    required: ['error'],
    properties: { error: { ...refTo('ODataError'), description: 'What went wrong.' } },
  },
  ODataError: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: {
        type: 'string',
        description: 'Code of the error, as in the rest of the API.',
        example: 'invalid_request',
      },
      message: {
        type: 'string',
        description: 'What is wrong, for people to read.',
        example: '$filter: at character 13: expected a property, found the end',
      },
      target: { type: 'string', description: 'The query option that is wrong.', example: '$filter' },
      details: { type: 'array', items: refTo('ODataErrorDetail'), description: 'Each of several errors.' },
    },
  },
  ODataErrorDetail: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', description: 'Code of the error.' },
      target: { type: 'string', description: 'The query option that is wrong.' },
      message: { type: 'string', description: 'What is wrong with it.' },
    },
  },
};

/**
 * Documents the feed's refusals in its own format: what the decorators document as problems are OData errors with the same codes in
 * its operations.
 * @param routes of the document; those outside the feed stay as they are
 * @param shared the responses that operations refer to
 */
export function documentODataErrors(
  routes: readonly Route[],
  shared: Readonly<Record<string, Response>>,
  schemas: Record<string, JsonSchema>,
): void {
  Object.assign(schemas, SCHEMAS);
  for (const { path, operation } of routes) {
    if (path.startsWith(ODATA_ROOT)) documentResponses(operation.responses, shared);
  }
}

function documentResponses(responses: Record<string, Response>, shared: Readonly<Record<string, Response>>): void {
  for (const [status, response] of Object.entries(responses)) {
    const { content, ...rest } = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
    const documented = {
      ...rest,
      headers: {
        ...rest.headers,
        'OData-Version': { description: 'Always 4.0.', schema: { type: 'string', const: '4.0' } },
      },
    };
    const problem = content?.[PROBLEM_JSON];
    responses[status] = problem
      ? { ...documented, content: { 'application/json': errorContent(documented[CODES]?.[0]) } }
      : { ...documented, ...(content && { content }) };
  }
}

function errorContent(code = 'invalid_request'): { schema: JsonSchema; example: unknown } {
  return {
    schema: refTo('ODataErrorBody'),
    example: { error: { code, message: 'What is wrong, for people to read.' } },
  };
}
