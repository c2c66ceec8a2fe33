import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentMember, type MemberCaller, tenantOf } from '../access/index.js';
import { WorkspaceRole } from '../platform/http/access-declaration.js';
import { ApiInvalidQuery, ApiInvalidRequest } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import { ActualsService } from './actuals.service.js';
import { ApiSeriesPage } from './api-series-page.js';
import { ActualMonthDto, ActualsRangeDto, DeletedActualsDto } from './dto/actuals.dto.js';
import { EditSeriesDto, SeriesDto, SeriesFilterDto, type TrendChangeDto } from './dto/series.dto.js';
import { SeriesService } from './series.service.js';

/** Series of a workspace, for the application's routes. */
@ApiTags('Workspace data')
@Controller('workspaces/:workspace_id/series')
export class WorkspaceSeriesController {
  constructor(
    private readonly series: SeriesService,
    private readonly actuals: ActualsService,
  ) {}

  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'List series or trend changes of a workspace',
    description: 'Same as `GET /api/v1/series`, for signed-in members.',
  })
  @ApiSeriesPage()
  @ApiInvalidQuery()
  list(
    @CurrentMember() member: MemberCaller,
    @Query() query: SeriesFilterDto,
  ): Promise<Page<SeriesDto | TrendChangeDto>> {
    return this.series.list(tenantOf(member), query);
  }

  @Get(':series_id')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Get a series of a workspace',
    description: 'Same as `GET /api/v1/series/{series_id}`, for signed-in members.',
  })
  @ApiOkResponse({ type: SeriesDto })
  read(@CurrentMember() member: MemberCaller, @Param('series_id') seriesId: string): Promise<SeriesDto> {
    return this.series.find(tenantOf(member), seriesId);
  }

  @Get(':series_id/actuals')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Get the demand of a series of a workspace',
    description: 'Same as `GET /api/v1/series/{series_id}/actuals`, for signed-in members.',
  })
  @ApiOkResponse({ type: [ActualMonthDto] })
  @ApiInvalidQuery()
  readActuals(
    @CurrentMember() member: MemberCaller,
    @Param('series_id') seriesId: string,
    @Query() range: ActualsRangeDto,
  ): Promise<ActualMonthDto[]> {
    return this.actuals.read(tenantOf(member), seriesId, range);
  }

  @Patch(':series_id')
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Update a series',
    description:
      'Updates the name, category, unit, metadata, importance, stock target or successor of a series. Set a text, a target or the successor to null to remove it. To change demand, upload it again.',
  })
  @ApiOkResponse({ type: SeriesDto })
  @ApiInvalidRequest()
  async edit(
    @CurrentMember() member: MemberCaller,
    @Param('series_id') seriesId: string,
    @Body() change: EditSeriesDto,
  ): Promise<SeriesDto> {
    return this.series.edit(member, seriesId, change);
  }

  @Delete(':series_id')
  @HttpCode(204)
  @WorkspaceRole('admin')
  @ApiOperation({
    summary: 'Delete a series',
    description:
      'Permanently deletes the series, its demand, overrides and alerts, and its rows in the forecasts of past runs. The metrics of those runs do not change. A later upload with the same unique_id creates a new series.',
  })
  @ApiNoContentResponse({ description: 'The series is deleted.' })
  remove(@CurrentMember() member: MemberCaller, @Param('series_id') seriesId: string): Promise<void> {
    return this.series.remove(member, seriesId);
  }

  @Delete(':series_id/actuals')
  @HttpCode(204)
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Delete demand of a series',
    description:
      'Deletes the demand of all months from `from` to `to`. These months are then missing, not zero. Completed runs keep their forecasts. To correct a value, upload it again instead.',
  })
  @ApiNoContentResponse({ description: 'The demand of these months is deleted.' })
  @ApiInvalidQuery()
  removeActuals(
    @CurrentMember() member: MemberCaller,
    @Param('series_id') seriesId: string,
    @Query() range: DeletedActualsDto,
  ): Promise<void> {
    return this.actuals.remove(member, seriesId, range);
  }
}
