import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentMember, type MemberCaller, sendStored } from '../access/index.js';
import { WorkspaceRole } from '../platform/http/access-declaration.js';
import { ApiPage } from '../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest } from '../platform/http/api-problem.js';
import { PageQueryDto } from '../platform/http/page-query.js';
import { sendPage } from '../platform/http/pagination.js';
import { ActualsService } from './actuals.service.js';
import { ApiUpload } from './actuals.controller.js';
import { ApiImportId, ApiSeriesId } from './api-params.js';
import { DeletedActualsDto } from './dto/actuals.dto.js';
import { ImportDto } from './dto/import.dto.js';
import { EditSeriesDto, SeriesDto } from './dto/series.dto.js';
import { WorkspaceUploadQueryDto } from './dto/upload-query.dto.js';
import type { Import } from './imports/imports.queries.js';
import { ImportsService } from './imports/imports.service.js';
import { UploadsService } from './imports/uploads.service.js';
import { tenantOf } from './member-tenant.js';
import type { SeriesItem } from './read/series.queries.js';
import { SeriesService } from './series.service.js';

/** Imports and series of a workspace on the application surface. */
@ApiTags('Workspace data')
@Controller('workspaces/:workspace_id')
export class WorkspaceDataController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly imports: ImportsService,
    private readonly series: SeriesService,
    private readonly actuals: ActualsService,
  ) {}

  @Post('imports')
  @HttpCode(200)
  @WorkspaceRole('member')
  @RouteConfig({ streamBody: true })
  @ApiOperation({
    summary: 'Upload demand into a workspace',
    description: 'As POST /api/v1/actuals, for signed-in members.',
  })
  @ApiUpload()
  async upload(
    @CurrentMember() member: MemberCaller,
    @Query() query: WorkspaceUploadQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const tenant = tenantOf(member);
    const stored = await this.uploads.receive({
      request,
      caller: member,
      origin: 'app',
      workspaceId: tenant.workspaceId,
      fill: query.fill,
      decimal: query.decimal,
      boundWorkspaceId: tenant.workspaceId,
      resolve: () => Promise.resolve(tenant),
      importsPath: `/workspaces/${tenant.workspaceId}/imports`,
    });
    return sendStored(reply, stored);
  }

  @Get('imports')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'List imports of a workspace',
    description: 'Uploads and what became of them, newest first.',
  })
  @ApiPage({ type: [ImportDto] })
  @ApiInvalidQuery()
  async listImports(
    @CurrentMember() member: MemberCaller,
    @Query() query: PageQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly Import[]> {
    return sendPage(request, reply, await this.imports.list(tenantOf(member), query));
  }

  @Get('imports/:import_id')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Read an import of a workspace',
    description: 'State and report. Unfinished imports carry Retry-After.',
  })
  @ApiImportId()
  @ApiOkResponse({ type: ImportDto })
  async readImport(
    @CurrentMember() member: MemberCaller,
    @Param('import_id') importId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Import> {
    return this.imports.read(tenantOf(member), importId, reply);
  }

  @Get('series')
  @WorkspaceRole('viewer')
  @ApiOperation({ summary: 'List series of a workspace', description: 'Newest first.' })
  @ApiPage({ type: [SeriesDto] })
  @ApiInvalidQuery()
  async listSeries(
    @CurrentMember() member: MemberCaller,
    @Query() query: PageQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly SeriesItem[]> {
    return sendPage(request, reply, await this.series.list(tenantOf(member), query));
  }

  @Patch('series/:series_id')
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Edit a series',
    description: 'Corrects name, category, unit or metadata; null removes a text. Demand is changed by uploads.',
  })
  @ApiSeriesId()
  @ApiOkResponse({ type: SeriesDto })
  @ApiInvalidRequest()
  async edit(
    @CurrentMember() member: MemberCaller,
    @Param('series_id') seriesId: string,
    @Body() change: EditSeriesDto,
  ): Promise<SeriesItem> {
    return this.series.edit(member, seriesId, change);
  }

  @Delete('series/:series_id')
  @HttpCode(204)
  @WorkspaceRole('admin')
  @ApiOperation({
    summary: 'Delete a series',
    description:
      'With its demand, overrides and alerts, and its rows in the forecasts of past runs; their metrics stay as they were. There is no way back; an upload may bring the unique_id again as a new series.',
  })
  @ApiSeriesId()
  @ApiNoContentResponse({ description: 'The series is gone.' })
  remove(@CurrentMember() member: MemberCaller, @Param('series_id') seriesId: string): Promise<void> {
    return this.series.remove(member, seriesId);
  }

  @Delete('series/:series_id/actuals')
  @HttpCode(204)
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Delete demand of a series',
    description:
      'Of whole months, from the first to the last one named; they are then missing, not zero. Completed runs keep their forecasts. To correct a value, upload it again instead.',
  })
  @ApiSeriesId()
  @ApiNoContentResponse({ description: 'The months have no demand any more.' })
  @ApiInvalidQuery()
  removeActuals(
    @CurrentMember() member: MemberCaller,
    @Param('series_id') seriesId: string,
    @Query() range: DeletedActualsDto,
  ): Promise<void> {
    return this.actuals.remove(member, seriesId, range);
  }
}
