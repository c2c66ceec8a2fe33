import { ApiProperty } from '@nestjs/swagger';
import { CENTRAL_MEASURES, type CentralMeasure } from '../../forecasting/index.js';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { PageCursor, PageLimit, type PageSize } from '../../platform/http/page-query.js';
import { DescribedSeriesDto, NamedSeriesDto } from '../dto/named-series.dto.js';
import { OnlySeries } from '../dto/only-series.js';

export const EXPLAINED_SERIES_PAGE: PageSize = { max: 200, default: 50 };

export class ForecastExplainQueryDto {
  @OnlySeries()
  series_id?: string;

  @PageLimit(EXPLAINED_SERIES_PAGE, 'Series')
  limit?: number;

  @PageCursor()
  cursor?: string;
}

/** What the change is made of; the parts sum to it. */
class ChangePartsDto {
  @ApiProperty({ description: 'Corrections of demand that the prior run knew.', example: -3.2 })
  data_revision!: number;
  @ApiProperty({ description: 'New actuals: the level they show.', example: 12.5 })
  new_actuals_level!: number;
  @ApiProperty({ description: 'New actuals: the trend they show.', example: 1.1 })
  new_actuals_trend!: number;
  @ApiProperty({ description: 'New actuals: the season they show.', example: -0.4 })
  new_actuals_season!: number;
  @ApiProperty({ description: 'Models that are learnt from the whole workspace were learnt again.', example: 0.8 })
  reestimation!: number;
  @ApiProperty({ description: 'Another choice of model, or other settings.', example: 0 })
  model_change!: number;
  @ApiProperty({
    description: 'What overrides add now to the median, as in `final` of forecast rows, beyond what they added then.',
    example: 20,
  })
  overrides!: number;
}

class ChangeDto {
  @ApiProperty({
    description: 'The `measure` of the prior run, with the overrides that stood when it completed.',
    example: 190.2,
  })
  prior!: number;
  @ApiProperty({ description: 'The `measure` of the current run, with the overrides of now.', example: 221 })
  current!: number;
  @ApiProperty({ description: 'current - prior', example: 30.8 })
  total!: number;
  @ApiProperty({ type: ChangePartsDto })
  parts!: ChangePartsDto;
}

class ExplainedMonthDto extends ChangeDto {
  @ApiProperty({ format: 'date', example: '2026-12-01' })
  period!: string;
}

class ExplainedSeriesDto extends DescribedSeriesDto {
  @ApiProperty({
    enum: CENTRAL_MEASURES,
    description:
      'What of each forecast month is explained: the median, or the mean where medians hide what the months add up to, as those of rare orders do. Chosen for the two runs together: with a third run it may be the other one. A mean is moved by as much as overrides move the median, so only with `median` are `prior` and `current` the `final` of forecast rows.',
    example: 'median',
  })
  measure!: CentralMeasure;
  @ApiProperty({
    example:
      'The forecast for December 2026 to October 2027 rose from 2,092 to 2,431 bags, 16.2 %: new actuals moving the level (+302).',
  })
  summary!: string;
  @ApiProperty({ type: ChangeDto, description: 'Over all months that both runs forecast.' })
  totals!: ChangeDto;
  @ApiProperty({ type: [ExplainedMonthDto] })
  months!: ExplainedMonthDto[];
}

/** Why forecasts changed from one run to another. */
export class ForecastExplainDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.laterRun })
  current_run_id!: string;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.run })
  prior_run_id!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The change over all common series in one sentence; null where `totals` is.',
    example:
      'The forecast for December 2026 to October 2027 rose from 20,920 to 24,310 bags, 16.2 %: new actuals moving the level (+3,020).',
  })
  summary!: string | null;
  @ApiProperty({
    type: ChangeDto,
    nullable: true,
    description:
      'Over all series that both runs forecast; null above 10,000 of them, where one series is asked for, and while `totals_pending`.',
  })
  totals!: ChangeDto | null;
  @ApiProperty({
    type: [String],
    description: 'Units of the series in `totals`: where there are several, totals are sums of numbers only.',
    example: ['bags'],
  })
  totals_units!: string[];
  @ApiProperty({
    enum: CENTRAL_MEASURES,
    isArray: true,
    description:
      'Measures of the series in `totals`: where there are both, totals add the means of some series to the medians of the others.',
    example: ['median'],
  })
  totals_measures!: CentralMeasure[];
  @ApiProperty({
    description: 'Whether totals are still being computed; ask again after Retry-After.',
    example: false,
  })
  totals_pending!: boolean;
  @ApiProperty({ type: 'integer', description: 'Series that both runs forecast.', example: 2509 })
  series_compared!: number;
  @ApiProperty({ type: [ExplainedSeriesDto], description: 'A page of the common series, by unique_id.' })
  series!: ExplainedSeriesDto[];
  @ApiProperty({ type: 'integer', description: 'Series that the current run alone forecast.', example: 0 })
  added_total!: number;
  @ApiProperty({ type: [NamedSeriesDto], description: 'The first thousand of them.' })
  added!: NamedSeriesDto[];
  @ApiProperty({ type: 'integer', description: 'Series that the prior run alone forecast.', example: 0 })
  removed_total!: number;
  @ApiProperty({ type: [NamedSeriesDto], description: 'The first thousand of them.' })
  removed!: NamedSeriesDto[];
}
