import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import { ApiProblem } from '../platform/http/api-problem.js';
import { ApiRequestContent } from '../platform/http/openapi/api-request-content.js';
import { EXAMPLE_ID } from '../platform/http/openapi/example-ids.js';
import { acceptedHeaders } from '../platform/http/replies/polling.js';
import { ImportDto, UploadReplyDto } from './dto/import.dto.js';

const CSV_EXAMPLE = 'unique_id,ds,y,product_name\nSKU-1001,2026-09,120,Espresso beans 1 kg\nSKU-1001,2026-10,135.5,\n';
const ROW_EXAMPLE = { unique_id: 'SKU-1001', ds: '2026-09', y: 120, product_name: 'Espresso beans 1 kg' };

const ROW_SCHEMA = {
  title: 'UploadRowDto',
  type: 'object',
  description:
    'Any other members become metadata of the series, which can have at most 50. Without `ds` and `y`, the row only describes its series, which must exist; either all rows have them or none.',
  properties: {
    unique_id: {
      // many client generators turn a union with integers into a class of its own
      type: 'string',
      description: 'Identifier of the series. A whole number is accepted and converted to a string of its digits.',
    },
    ds: { type: 'string', description: 'A day (YYYY-MM-DD) or a month (YYYY-MM). Required with `y`.' },
    y: { type: 'number', description: 'Demand. Required with `ds`.' },
    product_name: { type: 'string', description: 'Name of the product.' },
    category: { type: 'string', description: 'Category of the product. Series of a category learn from each other.' },
    unit: { type: 'string', description: 'Unit of `y`, such as `bags`.' },
    replaced_by: {
      type: 'string',
      description: 'unique_id of the series that replaces this one. That of the series is kept if absent.',
    },
    lead_time_months: {
      type: 'number',
      description:
        'Lead time in months, from order to delivery, for safety stock. That of the series is kept if absent.',
    },
    lead_time_sd_months: {
      type: 'number',
      description: 'Standard deviation of lead times in months. That of the series is kept if absent.',
    },
    target_service_level: {
      type: 'number',
      description: 'Cycle service level for safety stock. That of the series is kept if absent.',
    },
  },
  required: ['unique_id'],
  dependentRequired: { ds: ['y'], y: ['ds'] },
  additionalProperties: true,
};

/** Example of an import that has just been accepted. */
const IMPORT_BEGUN = {
  id: EXAMPLE_ID.import,
  workspace_id: EXAMPLE_ID.workspace,
  state: 'processing',
  status: 'processing',
  origin: 'api',
  format: 'csv',
  fill: null,
  decimal: null,
  rows_read: 0,
  report: null,
  error: null,
  created_at: '2026-11-21T06:00:00.000Z',
  finished_at: null,
};

/** Example of the refusal of an upload with an empty cell. */
export const REJECTED_UPLOAD = {
  detail: '1 line was rejected. Nothing is stored. y: line 3: is empty; omit the row if demand is missing',
  errors: [{ param: 'y', message: 'line 3: is empty; omit the row if demand is missing' }],
  report: {
    rows: 2,
    series_created: 0,
    series_updated: 0,
    months: { from: '2026-09-01', to: '2026-09-01' },
    gaps: 0,
    series_with_gaps: 0,
    missing: [],
    incomplete_month: null,
    missing_days: [],
    months_filled: 0,
    days_replaced_by_month: 0,
    month_replaced_by_days: 0,
    duplicates: 0,
    negative_values: 0,
    rejected_count: 1,
    rejected: [{ line: 3, field: 'y', reason: 'is empty; omit the row if demand is missing' }],
  },
};

/** Documents the 409 of an upload. */
export const TOO_MANY_SERIES = {
  description: 'The upload exceeds the number of series that the plan allows in a workspace. Nothing is stored.',
  code: 'plan_limit_reached',
};

/** Documents a streamed upload: its three formats, its responses and errors. */
export const ApiUpload = (): MethodDecorator =>
  applyDecorators(
    ApiRequestContent({
      // first, since generated clients assume the first content type and send the body as JSON
      'application/json': {
        schema: {
          title: 'UploadDto',
          type: 'object',
          properties: {
            workspace_id: {
              type: 'string',
              format: 'uuid',
              description:
                'The workspace to store the demand in, unless the path or a key of a single workspace determines it.',
            },
            fill: {
              type: 'string',
              enum: ['none', 'zero'],
              description: 'Whether months without a value are stored as zero or stay missing (`none`, the default).',
            },
            rows: {
              type: 'array',
              items: ROW_SCHEMA,
              minItems: 1,
              description:
                'The demand, one row per series and day or month; or what describes the series, one row per series.',
            },
          },
          required: ['rows'],
          additionalProperties: false,
        },
        example: { fill: 'none', rows: [ROW_EXAMPLE] },
      },
      'text/csv': { schema: { type: 'string' }, example: CSV_EXAMPLE },
      'application/x-ndjson': { schema: { type: 'string' }, example: `${JSON.stringify(ROW_EXAMPLE)}\n` },
    }),
    ApiHeader({
      name: 'Prefer',
      required: false,
      description:
        '`respond-async` requests a 202 response regardless of size. Send it with a large upload that is compressed or has no Content-Length: its size is not known in advance.',
      schema: { type: 'string' },
    }),
    ApiHeader({
      name: 'Content-Encoding',
      required: false,
      description: 'Set to `gzip` if the body is compressed.',
      schema: { type: 'string', enum: ['gzip'] },
    }),
    ApiOkResponse({ type: UploadReplyDto, description: 'The upload is stored. Returns the data-quality report.' }),
    ApiResponse({
      status: 202,
      type: ImportDto,
      example: IMPORT_BEGUN,
      description:
        'The upload has been accepted and is being processed, because of `Prefer: respond-async` or a Content-Length above 64 MB (`ASYNC_UPLOAD_MB`). Poll the import.',
      headers: acceptedHeaders('import'),
    }),
    ApiProblem(
      400,
      'Rows of the upload are invalid (`errors` and `report` list them), or a parameter is. Nothing is stored.',
      ['invalid_data', 'invalid_request', 'body_incomplete'],
      REJECTED_UPLOAD,
    ),
    ApiProblem(404, 'The workspace does not exist.', ['not_found']),
    ApiProblem(413, 'The upload is larger than the service accepts.', ['body_too_large']),
    ApiProblem(415, 'The content type, charset or encoding of the body is not supported.', ['unsupported_media_type']),
  );
