import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, ApiIdempotent, Caller, IdempotencyKey, sendStored } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { ApiProblem } from '../platform/http/api-problem.js';
import { ApiPolled, sendPolled } from '../platform/http/replies/polling.js';
import { ApiUpload, TOO_MANY_SERIES } from './api-upload.js';
import { ImportDto } from './dto/import.dto.js';
import { UploadQueryDto } from './dto/upload-query.dto.js';
import { ImportsService } from './imports/imports.service.js';
import { UploadsService } from './imports/uploads.service.js';

@ApiTags('Demand')
@PublicApi()
@Controller('api/v1')
export class ActualsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly imports: ImportsService,
  ) {}

  @Post('actuals')
  @HttpCode(200)
  @RouteConfig({ streamBody: true })
  @ApiOperation({
    summary: 'Upload demand',
    description:
      'Stores demand by series and date. An upload is stored in full or not at all. A later upload for the same series and date replaces the value.\n\n' +
      '**Columns:** `unique_id`, `ds` (YYYY-MM-DD, or YYYY-MM for a month) and `y`; optionally `product_name`, `category` and `unit`, `replaced_by` for a series that another one replaces, and `lead_time_months`, `lead_time_sd_months` and `target_service_level` for safety stock. Any other column becomes metadata; a series can have at most 50 metadata columns. All but `ds` and `y` belong to the series: if its rows differ in them, the last row that has a value counts. ' +
      'In CSV, these names are case-insensitive, fields are separated by commas, semicolons or tabs (as in the header), and lines that are blank or contain only delimiters are skipped, as are empty columns without a name.\n\n' +
      '**Without demand:** an upload without `ds` and `y` but with at least one of the other columns named above describes series that exist, one row for each; further columns are metadata. Empty values leave what is stored as it is. A `unique_id` that the workspace does not have is rejected, since series come into being with their demand.\n\n' +
      '**Numbers in CSV:** a file uses one decimal mark: the one given in `decimal`; otherwise a point if commas separate the fields, or else the mark that the values show. Thousands can be separated by the other mark, spaces or apostrophes. ' +
      'A number that can be read both ways (`1.234` between semicolons, `"1,234"` between commas) is rejected unless another value in the file settles it: `1.5`, `1,5` and `12.345.678` do, `1500` does not.\n\n' +
      '**Days and months:** days are summed to months. A month is stored either as one total or as its days, never both: a row for a month replaces its days, and rows for days replace its total (the report counts both). ' +
      'An upload that contains both for the same month is rejected. The month in progress is used only for demand sensing.\n\n' +
      '**Response:** 200 with the report, or 202 for uploads over 64 MB (as sent, by Content-Length). A JSON upload with an organization key gets 202 only if the body names the workspace before `rows`.',
  })
  @ApiUpload()
  @ApiIdempotent(TOO_MANY_SERIES)
  async upload(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() key: string | undefined,
    @Query() query: UploadQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const stored = await this.uploads.receive({
      request,
      caller,
      origin: 'api',
      workspaceId: query.workspace_id,
      fill: query.fill,
      decimal: query.decimal,
      importsPath: '/api/v1/imports',
      idempotency: key === undefined ? undefined : { ...caller, key },
    });
    return sendStored(reply, stored);
  }

  @Get('imports/:import_id')
  @ApiOperation({
    summary: 'Get an import',
    description:
      'Returns the state of an upload that was answered with 202 and, once it has ended, its report. The response for an unfinished import has a Retry-After header.',
  })
  @ApiPolled('import', ImportDto)
  @ApiProblem(404, 'The import does not exist.', ['not_found'])
  async read(
    @Caller() caller: ApiCaller,
    @Param('import_id') importId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportDto> {
    const { organizationId, workspaceId } = caller;
    return sendPolled(reply, await this.imports.read({ organizationId, workspaceId }, importId));
  }
}
