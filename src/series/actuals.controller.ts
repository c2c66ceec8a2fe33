import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, ApiIdempotent, Caller, IdempotencyKey, sendStored, WorkspaceScope } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { ApiProblem } from '../platform/http/api-problem.js';
import { ApiImportId, ApiReadImport } from './api-params.js';
import { ApiUpload, TOO_MANY_SERIES } from './api-upload.js';
import { UploadQueryDto } from './dto/upload-query.dto.js';
import type { Import } from './imports/imports.queries.js';
import { ImportsService } from './imports/imports.service.js';
import { sendImport } from './imports/send-import.js';
import { UploadsService } from './imports/uploads.service.js';

@ApiTags('Demand')
@PublicApi()
@Controller('api/v1')
export class ActualsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly imports: ImportsService,
    private readonly workspaces: WorkspaceScope,
  ) {}

  @Post('actuals')
  @HttpCode(200)
  @RouteConfig({ streamBody: true })
  @ApiOperation({
    summary: 'Upload demand',
    description:
      'Stores demand by series and date, all of it or nothing; a later upload of the same series and date replaces the value.\n\n' +
      '**Columns:** `unique_id`, `ds` (YYYY-MM-DD, or YYYY-MM for a month) and `y`; optional `product_name`, `category` and `unit`. Any further column becomes metadata, of which a series has 50 at most. ' +
      'In CSV these names may be upper or lower case, fields are separated by commas, semicolons or tabs, as in the header, and lines that are blank or only hold delimiters are skipped.\n\n' +
      '**Numbers in CSV:** a file has one decimal mark: the one in `decimal`; without it a point if commas separate the fields, else the one that the values show. Thousands may be separated by the other mark, spaces or apostrophes. ' +
      'A number that could be read both ways (`1.234` between semicolons, `"1,234"` between commas) is refused unless another value of the file decides, as `1.5`, `1,5` and `12.345.678` do and `1500` does not.\n\n' +
      '**Days and months:** days are summed to months. A month is stored as one figure or as its days, never both: a row for a month replaces its days, and rows for days replace its figure (the report counts both); ' +
      'an upload that gives both is refused. The month in progress feeds demand sensing only.\n\n' +
      '**Reply:** the report with 200, or 202 for uploads above 64 MB (as sent, by Content-Length). JSON sent with a key of the organization is answered with 202 only if it names its workspace ahead of `rows`.',
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
        workspaceId: await this.workspaces.resolveOne(caller, workspaceId, db),
      }),
      importsPath: '/api/v1/imports',
      idempotency: key === undefined ? undefined : { ...caller, key },
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
  @ApiReadImport()
  @ApiProblem(404, 'There is no such import.', ['not_found'])
  async read(
    @Caller() caller: ApiCaller,
    @Param('import_id') importId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Import> {
    const { organizationId, workspaceId } = caller;
    return sendImport(reply, await this.imports.read({ organizationId, workspaceId }, importId));
  }
}
