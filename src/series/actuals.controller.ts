import { applyDecorators, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, ApiIdempotent, Caller, IdempotencyKey, sendStored, WorkspaceScope } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { EXAMPLE_ID } from '../platform/http/example-ids.js';
import { ApiProblem } from '../platform/http/api-problem.js';
import { ApiRequestContent } from '../platform/http/api-request-content.js';
import { ApiImportId } from './api-params.js';
import { ImportDto, UploadReplyDto } from './dto/import.dto.js';
import { UploadQueryDto } from './dto/upload-query.dto.js';
import type { Import } from './imports/imports.queries.js';
import { ImportsService } from './imports/imports.service.js';
import { UploadsService } from './imports/uploads.service.js';

const CSV_EXAMPLE = 'unique_id,ds,y,product_name\nSKU-1001,2026-09,120,Espresso beans 1 kg\nSKU-1001,2026-10,135.5,\n';
const ROW_EXAMPLE = { unique_id: 'SKU-1001', ds: '2026-09', y: 120, product_name: 'Espresso beans 1 kg' };

const ROW_SCHEMA = {
  title: 'UploadRowDto',
  type: 'object',
  description: 'Further members become metadata of the series, which has 50 in all at most.',
  properties: {
    unique_id: {
      type: ['string', 'integer'],
      description: 'Identifier of the series; a whole number is taken as its digits.',
    },
    ds: { type: 'string', description: 'A day (YYYY-MM-DD) or a month (YYYY-MM).' },
    y: { type: 'number', description: 'Demand.' },
    product_name: { type: 'string' },
    category: { type: 'string' },
    unit: { type: 'string' },
  },
  required: ['unique_id', 'ds', 'y'],
  additionalProperties: true,
};

/** An import as it is told when it was taken. */
const IMPORT_BEGUN = {
  id: EXAMPLE_ID.import,
  workspace_id: EXAMPLE_ID.workspace,
  state: 'processing',
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

/** Documents a streamed upload: its three forms, its replies and refusals. */
export const ApiUpload = (): MethodDecorator =>
  applyDecorators(
    ApiRequestContent({
      // first, since generated clients take the body to be of the first type and send it as JSON
      'application/json': {
        schema: {
          title: 'UploadDto',
          type: 'object',
          properties: {
            workspace_id: { type: 'string', format: 'uuid' },
            fill: { type: 'string', enum: ['none', 'zero'] },
            rows: { type: 'array', items: ROW_SCHEMA },
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
      description: '`respond-async` asks for 202 whatever the size.',
      schema: { type: 'string' },
    }),
    ApiHeader({
      name: 'Content-Encoding',
      required: false,
      description: 'The body may be compressed.',
      schema: { type: 'string', enum: ['gzip'] },
    }),
    ApiOkResponse({ type: UploadReplyDto, description: 'Stored; the data-quality report.' }),
    ApiResponse({
      status: 202,
      type: ImportDto,
      example: IMPORT_BEGUN,
      description: 'A large upload has been taken and is being processed; poll the import.',
      headers: {
        Location: { description: 'Address of the import.', schema: { type: 'string' } },
        'Retry-After': { description: 'Seconds to wait before polling.', schema: { type: 'string' } },
      },
    }),
    ApiProblem(
      400,
      'Lines of the upload are wrong (`errors` names field and line, `report` has the counts), or a parameter is. Nothing is stored.',
      ['invalid_data', 'invalid_request', 'body_incomplete'],
    ),
    ApiProblem(404, 'There is no such workspace.', ['not_found']),
    ApiProblem(413, 'The upload is larger than the service takes.', ['body_too_large']),
    ApiProblem(415, 'The body has another type, charset or encoding than the service reads.', [
      'unsupported_media_type',
    ]),
  );

@ApiTags('Demand')
@PublicApi()
@Controller('api/v1')
export class ActualsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly imports: ImportsService,
    private readonly scope: WorkspaceScope,
  ) {}

  @Post('actuals')
  @HttpCode(200)
  @RouteConfig({ streamBody: true })
  @ApiOperation({
    summary: 'Upload demand',
    description:
      'Stores demand by series and date, all of it or nothing; a later upload of the same series and date replaces the value. ' +
      'Columns `unique_id`, `ds` (YYYY-MM-DD, or YYYY-MM for a month) and `y`; optional `product_name`, `category`, `unit`; any further column becomes metadata, of which a series has 50 at most. ' +
      'In CSV the names of these columns count in any case; fields are parted by commas, semicolons or tabs, as the header has them. ' +
      'A file has one decimal mark: what `decimal` says, else a point where commas part the fields, else what the values tell. Thousands may be parted by the other mark, by blanks or by apostrophes; ' +
      'without `decimal` a file is refused where a mark may be either (`1.234` between semicolons, `"1,234"` between commas) and no other value tells which, as `1.5`, `1,5` and `12.345.678` do and `1500` does not. Lines that are blank or hold delimiters alone are passed over. ' +
      'Days are summed to months. A month is one figure or its days, never both: a row for a month replaces the days stored for it, rows for days replace its figure, ' +
      'the report counts both, and an upload that gives both is refused. The month in progress feeds demand sensing only. Up to 64 MB (as sent, by Content-Length) the reply is the report, above it is 202; ' +
      'with a key of the organization, of JSON that names its workspace ahead of `rows`.',
  })
  @ApiUpload()
  @ApiIdempotent()
  async upload(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() key: string | undefined,
    @Query() query: UploadQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const { organizationId } = caller;
    const stored = await this.uploads.receive({
      request,
      caller,
      origin: 'api',
      workspaceId: query.workspace_id,
      fill: query.fill,
      decimal: query.decimal,
      boundWorkspaceId: caller.workspaceId,
      resolve: async (workspaceId, db) => ({
        organizationId,
        workspaceId: await this.scope.resolveOne(caller, workspaceId, db),
      }),
      importsPath: '/api/v1/imports',
      ...(key === undefined ? {} : { idempotency: { caller, key } }),
    });
    return sendStored(reply, stored);
  }

  @Get('imports/:import_id')
  @ApiOperation({
    summary: 'Read an import',
    description:
      'State of an upload that was answered with 202, and its report once it has ended. Unfinished imports carry Retry-After.',
  })
  @ApiImportId()
  @ApiOkResponse({ type: ImportDto })
  @ApiProblem(404, 'There is no such import.', ['not_found'])
  async read(
    @Caller() caller: ApiCaller,
    @Param('import_id') importId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Import> {
    const { organizationId, workspaceId } = caller;
    return this.imports.read({ organizationId, workspaceId }, importId, reply);
  }
}
