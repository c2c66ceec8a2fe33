import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentMember, type MemberCaller, sendStored, tenantOf } from '../access/index.js';
import { WorkspaceRole } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidQuery, ApiProblem } from '../platform/http/api-problem.js';
import { PageQueryDto } from '../platform/http/page-query.js';
import type { Page } from '../platform/http/pagination.js';
import { ApiPolled, sendPolled } from '../platform/http/replies/polling.js';
import { ApiUpload, TOO_MANY_SERIES } from './api-upload.js';
import { ImportDto } from './dto/import.dto.js';
import { WorkspaceUploadQueryDto } from './dto/upload-query.dto.js';
import { ImportsService } from './imports/imports.service.js';
import { UploadsService } from './imports/uploads.service.js';

/** Uploads of a workspace, for the application's routes. */
@ApiTags('Workspace data')
@Controller('workspaces/:workspace_id/imports')
export class WorkspaceImportsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly imports: ImportsService,
  ) {}

  @Post()
  @HttpCode(200)
  @WorkspaceRole('member')
  @RouteConfig({ streamBody: true })
  @ApiOperation({
    summary: 'Upload demand to a workspace',
    description: 'Same as `POST /api/v1/actuals`, for signed-in members.',
  })
  @ApiUpload()
  @ApiProblem(409, TOO_MANY_SERIES.description, [TOO_MANY_SERIES.code])
  async upload(
    @CurrentMember() member: MemberCaller,
    @Query() query: WorkspaceUploadQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const { workspaceId } = tenantOf(member);
    const stored = await this.uploads.receive({
      request,
      caller: member,
      origin: 'app',
      workspaceId,
      fill: query.fill,
      decimal: query.decimal,
      importsPath: `/workspaces/${workspaceId}/imports`,
    });
    return sendStored(reply, stored);
  }

  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'List imports of a workspace',
    description: 'Returns the uploads of the workspace and their results, newest first.',
  })
  @Paged({ type: [ImportDto] })
  @ApiInvalidQuery()
  listImports(@CurrentMember() member: MemberCaller, @Query() query: PageQueryDto): Promise<Page<ImportDto>> {
    return this.imports.list(tenantOf(member), query);
  }

  @Get(':import_id')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Get an import of a workspace',
    description:
      'Returns the state and report of an import. The response for an unfinished import has a Retry-After header.',
  })
  @ApiPolled('import', ImportDto)
  async readImport(
    @CurrentMember() member: MemberCaller,
    @Param('import_id') importId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportDto> {
    return sendPolled(reply, await this.imports.read(tenantOf(member), importId));
  }
}
