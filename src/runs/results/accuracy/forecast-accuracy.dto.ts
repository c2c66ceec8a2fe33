import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../../platform/http/openapi/example-ids.js';
import { AccuracyDto } from '../../dto/accuracy.dto.js';
import { DescribedSeriesDto } from '../../dto/named-series.dto.js';
import { OnlyCategory, OnlySeries } from '../../dto/only-series.js';

/** Number of series to name as those with the largest errors. */
export const MAX_LISTED_ERRORS = 10;

export class ForecastAccuracyQueryDto {
  @OnlySeries()
  series_id?: string;

  @OnlyCategory()
  category?: string;
}

/** The accuracy of the forecasts for one month. */
export class MonthAccuracyDto extends AccuracyDto {
  @ApiProperty({ format: 'date', description: 'The forecast month, as its first day.', example: '2026-10-01' })
  ds!: string;
  @ApiProperty({ type: 'integer', description: 'Number of series with stored demand for the month.', example: 298 })
  series!: number;
}

/** A series with a large forecast error. */
export class SeriesErrorDto extends DescribedSeriesDto {
  @ApiProperty({ type: 'integer', description: 'Number of months compared.', example: 3 })
  months!: number;
  @ApiProperty({ description: 'Sum of |`q50` - demand|, in units of the series.', example: 412 })
  absolute_error!: number;
  @ApiProperty({ type: Number, nullable: true, description: 'As for the run. Null without demand.', example: 0.83 })
  wape!: number | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'As for the run. Above 0 means the forecasts are too high.',
    example: 0.79,
  })
  bias!: number | null;
}

/** The value added by planners, over the series and months with an override. */
export class OverrideAccuracyDto {
  @ApiProperty({
    type: 'integer',
    description: 'Number of series and months with an override that was active when the month began.',
    example: 12,
  })
  months!: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Weighted absolute percentage error of `q50` over these series and months.',
    example: 0.31,
  })
  wape!: number | null;
  @ApiProperty({ type: Number, nullable: true, description: 'The same error for `final`.', example: 0.24 })
  final_wape!: number | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Share of the absolute error of `q50` that the overrides removed. Below 0, they increased the error.',
    example: 0.23,
  })
  value_added!: number | null;
}

/** The accuracy of a run's forecasts against actual demand. */
export class ForecastAccuracyDto extends AccuracyDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.run })
  run_id!: string;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'First month compared. Null if there is none yet.',
    example: '2026-10-01',
  })
  from!: string | null;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'Last month compared. Null if there is none yet.',
    example: '2026-10-01',
  })
  to!: string | null;
  @ApiProperty({ type: 'integer', description: 'Number of series with at least one month compared.', example: 298 })
  series!: number;
  @ApiProperty({ type: 'integer', description: 'Number of months compared, summed over the series.', example: 298 })
  months!: number;
  @ApiProperty({ type: [MonthAccuracyDto], description: 'The same metrics by month, oldest first.' })
  by_month!: MonthAccuracyDto[];
  @ApiProperty({
    type: [SeriesErrorDto],
    maxItems: MAX_LISTED_ERRORS,
    description: `The ${MAX_LISTED_ERRORS} series with the largest absolute errors, largest first, regardless of units.`,
  })
  largest_errors!: SeriesErrorDto[];
  @ApiProperty({ type: OverrideAccuracyDto, description: 'The accuracy of forecasts that members had overridden.' })
  overrides!: OverrideAccuracyDto;
}
