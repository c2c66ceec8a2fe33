import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type ApiCaller, Caller } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { ApiInvalidQuery, ApiProblem } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import { ActualsService } from './actuals.service.js';
import { ApiSeriesPage } from './api-series-page.js';
import { ActualMonthDto, ReadActualsDto } from './dto/actuals.dto.js';
import { ListSeriesDto, ReadSeriesDto, SeriesDto, type TrendChangeDto } from './dto/series.dto.js';
import { SeriesService } from './series.service.js';

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
    summary: 'List series or trend changes',
    description:
      'Returns the series of the workspace or organization, newest first, optionally filtered by `unique_id` or `category`. With `trend_changed_since`, returns one item per change of a trend label instead, newest first. ' +
      'For a polling trigger, use `trend_changed_since=<changed_at of the newest change already processed>`; no change is missed, even if runs complete between polls.',
  })
  @ApiSeriesPage()
  @ApiInvalidQuery()
  @ApiProblem(404, 'The workspace does not exist.', ['not_found'])
  list(@Caller() caller: ApiCaller, @Query() query: ListSeriesDto): Promise<Page<SeriesDto | TrendChangeDto>> {
    return this.series.list(caller, query);
  }

  @Get('series/:series_id')
  @ApiOperation({
    summary: 'Get a series',
    description:
      'Returns a series by its id or unique_id. If several workspaces of the organization have a series with that unique_id, `workspace_id` is required.',
  })
  @ApiOkResponse({ type: SeriesDto })
  @ApiInvalidQuery()
  @ApiProblem(404, 'The series or the workspace does not exist.', ['not_found'])
  read(
    @Caller() caller: ApiCaller,
    @Param('series_id') seriesId: string,
    @Query() query: ReadSeriesDto,
  ): Promise<SeriesDto> {
    return this.series.find(caller, seriesId, query.workspace_id);
  }

  @Get('series/:series_id/actuals')
  @ApiOperation({
    summary: 'Get the demand of a series',
    description:
      'Returns the months with stored demand, which may be 0, oldest first, and their days if they were uploaded by day. Missing months are omitted. If several workspaces of the organization have a series with that unique_id, `workspace_id` is required.',
  })
  @ApiOkResponse({ type: [ActualMonthDto] })
  @ApiInvalidQuery()
  @ApiProblem(404, 'The series or the workspace does not exist.', ['not_found'])
  readActuals(
    @Caller() caller: ApiCaller,
    @Param('series_id') seriesId: string,
    @Query() range: ReadActualsDto,
  ): Promise<ActualMonthDto[]> {
    return this.actuals.read(caller, seriesId, range);
  }
}
