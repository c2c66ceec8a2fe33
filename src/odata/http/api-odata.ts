import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiQuery, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { ENTITY_SETS } from '../model/model.js';
import type { OptionName } from '../query-options.js';

const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'integer', minimum: 0 } as const;

const DESCRIPTIONS: Readonly<Record<OptionName, { description: string; schema: object }>> = {
  $select: { description: 'Properties to return, separated by commas.', schema: TEXT },
  $filter: { description: 'Filter condition, for example `q50 gt 100 and month(ds) eq 12`.', schema: TEXT },
  $orderby: { description: 'Expressions to sort by, for example `q50 desc,ds`.', schema: TEXT },
  $expand: {
    description: 'Single-valued navigation properties to include, for example `series($select=category)`.',
    schema: TEXT,
  },
  $apply: {
    description: 'Aggregation, for example `groupby((category),aggregate(q50 with sum as total))`.',
    schema: TEXT,
  },
  $top: { description: 'Maximum number of rows to return, over all pages.', schema: NUMBER },
  $skip: { description: 'Number of rows to skip.', schema: NUMBER },
  $count: { description: 'Whether to return the total number of rows.', schema: { type: 'boolean' } },
  $skiptoken: { description: 'Position from `@odata.nextLink`.', schema: TEXT },
  $format: { description: 'Response format: `json` or a media type.', schema: TEXT },
};

const SETS = ENTITY_SETS.map(({ name }) => `\`${name}\``).join(', ');

/** A JSON object whose members only `$metadata` describes. */
const OPEN = { type: 'object', additionalProperties: true } as const;

const ENTITY = `Series(${EXAMPLE_ID.series})`;

export const ApiODataResource = (): MethodDecorator =>
  ApiParam({
    name: 'resource',
    description: `An entity set (${SETS}), or a single entity by its key: \`${ENTITY}\`.`,
    schema: { ...TEXT, example: 'Forecasts' },
  });

/** Documents the path of a member of an entity; `example` is a member of the entity that is the example of `resource`. */
export const ApiODataMember = (description: string, example: string): MethodDecorator =>
  applyDecorators(
    ApiParam({
      name: 'resource',
      description: `An entity, as a set (${SETS}) with a key.`,
      schema: { ...TEXT, example: ENTITY },
    }),
    ApiParam({ name: 'member', description, schema: { ...TEXT, example } }),
  );

/** Header of a response to a request that asks for a page size. */
export const PREFERENCE_APPLIED = {
  'Preference-Applied': {
    description: 'The page size that was requested with Prefer, at most 10,000: `odata.maxpagesize=n`.',
    schema: TEXT,
  },
} as const;

export const ApiMaxPageSize = (): MethodDecorator =>
  ApiHeader({
    name: 'Prefer',
    required: false,
    description: '`odata.maxpagesize=n` sets the number of rows per page: at most 10,000, default 5,000.',
    schema: TEXT,
  });

/** Documents a resource of the feed: its parameters, responses and errors. */
export function ApiOData(
  operation: { readonly summary: string; readonly description: string },
  options: readonly OptionName[],
  content: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>,
  headers: NonNullable<ApiResponseOptions['headers']> = {},
): MethodDecorator {
  return applyDecorators(
    ApiOperation(operation),
    ...options.map((name) => ApiQuery({ name, required: false, ...DESCRIPTIONS[name] })),
    ApiHeader({
      name: 'OData-MaxVersion',
      required: false,
      description: 'Highest OData version that the client supports. The feed responds with 4.0.',
      schema: { ...TEXT, default: '4.0' },
    }),
    ApiResponse({ status: 200, description: 'The response. See `$metadata` for its members.', content, headers }),
    ApiProblem(
      400,
      'A query option is invalid (the message gives the position), or the client requests an OData version below 4.0.',
      ['invalid_request'],
    ),
    ApiProblem(404, 'The set, entity or property does not exist.', ['not_found']),
    ApiProblem(406, 'The requested format is not available.', ['not_acceptable']),
    ApiProblem(501, 'The request uses an OData feature that the feed does not support.', ['not_implemented']),
  );
}

export const JSON_REPLY = (example: object) => ({ 'application/json': { schema: OPEN, example } });
