import { ApiProperty } from '@nestjs/swagger';
import { CENTRAL_MEASURES, type CentralMeasure } from '../../forecasting/index.js';
import { nullableString } from '../../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { PageCursor, PageLimit, type PageSize } from '../../platform/http/page-query.js';
import { DescribedSeriesDto, NamedSeriesDto } from '../dto/named-series.dto.js';
import { OnlyCategory, OnlySeries } from '../dto/only-series.js';

const EXPLAINED_SERIES_PAGE: PageSize = { max: 200, default: 50 };

export class ForecastExplainQueryDto {
  @OnlySeries()
  series_id?: string;

  @OnlyCategory()
  category?: string;

  @PageLimit(EXPLAINED_SERIES_PAGE, 'Series')
  limit = EXPLAINED_SERIES_PAGE.default;

  @PageCursor()
  cursor?: string;
}

/** The components of the change; they sum to it. */
class ChangePartsDto {
  @ApiProperty({ description: 'Corrections to demand that the prior run already used.', example: -3.2 })
  data_revision!: number;
  @ApiProperty({ description: 'New actuals: effect on the level.', example: 12.5 })
  new_actuals_level!: number;
  @ApiProperty({ description: 'New actuals: effect on the trend.', example: 1.1 })
  new_actuals_trend!: number;
  @ApiProperty({ description: 'New actuals: effect on the seasonality.', example: -0.4 })
  new_actuals_season!: number;
  @ApiProperty({ description: 'Re-estimation of models that are learned from the whole workspace.', example: 0.8 })
  reestimation!: number;
  @ApiProperty({ description: 'A different model or different settings.', example: 0 })
  model_change!: number;
  @ApiProperty({
    description: 'Change of what overrides add to the median (`final` of forecast rows) between then and now.',
    example: 20,
  })
  overrides!: number;
}

class ChangeDto {
  @ApiProperty({
    description: 'The `measure` of the prior run, with the overrides that were active when it completed.',
    example: 190.2,
  })
  prior!: number;
  @ApiProperty({
    description: 'The `measure` of the current run, with the overrides that are active now.',
    example: 221,
  })
  current!: number;
  @ApiProperty({ description: 'current - prior', example: 30.8 })
  total!: number;
  @ApiProperty({ type: ChangePartsDto, description: 'The parts of the change, which sum to it.' })
  parts!: ChangePartsDto;
}

class ExplainedMonthDto extends ChangeDto {
  @ApiProperty({ format: 'date', description: 'The month, as its first day.', example: '2026-12-01' })
  period!: string;
}

class ExplainedSeriesDto extends DescribedSeriesDto {
  @ApiProperty({
    enum: CENTRAL_MEASURES,
    description:
      'The measure that is explained for each forecast month: the median, or the mean if medians hide what the months add up to, as with rare orders. It is chosen for each pair of runs, so it can differ when either run is compared with another. A mean is shifted by the same amount as overrides shift the median, so `prior` and `current` equal the `final` of forecast rows only for `median`.',
    example: 'median',
  })
  measure!: CentralMeasure;
  @ApiProperty({
    example:
      'The forecast for December 2026 to October 2027 rose from 2,092 to 2,431 bags, 16 %: new actuals moving the level (+302).',
    description: 'The change in a sentence, made from its numbers.',
  })
  summary!: string;
  @ApiProperty({ type: ChangeDto, description: 'Sum over all months that both runs forecast.' })
  totals!: ChangeDto;
  @ApiProperty({ type: [ExplainedMonthDto], description: 'The change by month, earliest first.' })
  months!: ExplainedMonthDto[];
}

export class ForecastExplainDto {
  @ApiProperty({ format: 'uuid', description: 'Id of the later run.', example: EXAMPLE_ID.laterRun })
  current_run_id!: string;
  @ApiProperty({ format: 'uuid', description: 'Id of the earlier run.', example: EXAMPLE_ID.run })
  prior_run_id!: string;
  @ApiProperty({
    ...nullableString,
    description:
      'The change over all common series, of the category if one is given, in one sentence. Null if `totals` is null.',
    example:
      'The forecast for December 2026 to October 2027 rose from 20,920 to 24,310 bags, 16 %: new actuals moving the level (+3,020).',
  })
  summary!: string | null;
  @ApiProperty({
    type: ChangeDto,
    nullable: true,
    description:
      'Sum over all series that both runs forecast, of the category if one is given. Null if both runs forecast more than 10,000 series, if a single series is requested, and while `totals_pending` is true.',
  })
  totals!: ChangeDto | null;
  @ApiProperty({
    type: [String],
    description: 'Units of the series in `totals`. If there are several, the totals mix units.',
    example: ['bags'],
  })
  totals_units!: string[];
  @ApiProperty({
    enum: CENTRAL_MEASURES,
    isArray: true,
    description:
      'Measures of the series in `totals`. If there are both, the totals add the means of some series to the medians of others.',
    example: ['median'],
  })
  totals_measures!: CentralMeasure[];
  @ApiProperty({
    description:
      'Whether the totals are still being computed. If so, repeat the request after the time in Retry-After.',
    example: false,
  })
  totals_pending!: boolean;
  @ApiProperty({
    type: 'integer',
    description: 'Number of series that both runs forecast, of the category if one is given.',
    example: 2509,
  })
  series_compared!: number;
  @ApiProperty({ type: [ExplainedSeriesDto], description: 'A page of the common series, ordered by unique_id.' })
  series!: ExplainedSeriesDto[];
  @ApiProperty({ type: 'integer', description: 'Number of series that only the current run forecast.', example: 0 })
  added_total!: number;
  @ApiProperty({ type: [NamedSeriesDto], description: 'The first 1,000 of these series.' })
  added!: NamedSeriesDto[];
  @ApiProperty({ type: 'integer', description: 'Number of series that only the prior run forecast.', example: 0 })
  removed_total!: number;
  @ApiProperty({ type: [NamedSeriesDto], description: 'The first 1,000 of these series.' })
  removed!: NamedSeriesDto[];
}
