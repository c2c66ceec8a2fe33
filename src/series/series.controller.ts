import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type ApiCaller, Caller } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { ApiInvalidQuery, ApiProblem } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import { ActualsService } from './actuals.service.js';
import { ApiSeriesId, ApiSeriesPage } from './api-params.js';
import { ActualMonthDto, ReadActualsDto } from './dto/actuals.dto.js';
import { ListSeriesDto, ReadSeriesDto, SeriesDto } from './dto/series.dto.js';
import type { SeriesItem } from './read/series.queries.js';
import { SeriesService } from './series.service.js';
import type { TrendChange } from './trends/trends.queries.js';

@ApiTags('Series')
@PublicApi()
@Controller('api/v1')
export class SeriesController {
  constructor(
    private readonly series: SeriesService,
    private readonly actuals: ActualsService,
  ) {}

  @Get('series')
  @ApiOperation({
    summary: 'List series, or changes of their trend',
    description:
      'All series of the workspace, or of the organization, or those of a `unique_id` or `category`; newest first. With `trend_changed_since` one item per change of a trend label instead, newest first. ' +
      'As a polling trigger: `trend_changed_since=<changed_at of the newest change told before>`; nothing is missed, whatever completes meanwhile.',
  })
  @ApiSeriesPage()
  @ApiInvalidQuery()
  @ApiProblem(404, 'There is no such workspace.', ['not_found'])
  list(@Caller() caller: ApiCaller, @Query() query: ListSeriesDto): Promise<Page<SeriesItem | TrendChange>> {
    return this.series.list(caller, query);
  }

  @Get('series/:series_id')
  @ApiOperation({
    summary: 'Read a series',
    description:
      'By its id or its unique_id. If several workspaces of the organization have a series of that unique_id, `workspace_id` must say which.',
  })
  @ApiSeriesId()
  @ApiOkResponse({ type: SeriesDto })
  @ApiInvalidQuery()
  @ApiProblem(404, 'There is no such series, or no such workspace.', ['not_found'])
  read(
    @Caller() caller: ApiCaller,
    @Param('series_id') seriesId: string,
    @Query() query: ReadSeriesDto,
  ): Promise<SeriesItem> {
    return this.series.find(caller, seriesId, query.workspace_id);
  }

  @Get('series/:series_id/actuals')
  @ApiOperation({
    summary: 'Read stored demand of a series',
    description:
      'Months with demand, oldest first, with their days where it was uploaded by days. Missing months are left out. Which series a unique_id means is as in reading a series.',
  })
  @ApiSeriesId()
  @ApiOkResponse({ type: [ActualMonthDto] })
  @ApiInvalidQuery()
  @ApiProblem(404, 'There is no such series, or no such workspace.', ['not_found'])
  readActuals(
    @Caller() caller: ApiCaller,
    @Param('series_id') seriesId: string,
    @Query() range: ReadActualsDto,
  ): Promise<ActualMonthDto[]> {
    return this.actuals.read(caller, seriesId, range);
  }
}
