import { ApiProperty } from '@nestjs/swagger';
import { TREND_LABELS, type TrendLabel } from '../../../forecasting/change/index.js';
import { EXAMPLE_ID } from '../../../platform/http/openapi/example-ids.js';
import { IsIdOf } from '../../../platform/http/rules/id-of.js';
import { SERIES_PROPERTY } from '../../../series/index.js';
import { ApplyOverrides } from '../../dto/apply-overrides.js';

export class SeriesForecastQueryDto {
  @ApiProperty({
    description: 'The completed run to read the forecast from.',
    format: 'uuid',
    example: EXAMPLE_ID.run,
  })
  @IsIdOf('run')
  run_id!: string;

  @ApplyOverrides()
  apply_overrides?: boolean;
}

class MonthEstimateDto {
  @ApiProperty({ format: 'date', description: 'The forecast month, as its first day.', example: '2026-12-01' })
  period!: string;
  @ApiProperty({ description: 'Median.', example: 204.5 })
  best_estimate!: number;
  @ApiProperty({ description: '10 % quantile.', example: 171.2 })
  low_estimate!: number;
  @ApiProperty({ description: '90 % quantile.', example: 241.9 })
  high_estimate!: number;
  @ApiProperty({
    description: 'Expected demand. Means add up over months; medians of rare demand are mostly 0.',
    example: 206.1,
  })
  mean!: number;
  @ApiProperty({
    type: Number,
    required: false,
    description: 'With `apply_overrides=true`: the median after manual overrides.',
    example: 220,
  })
  final?: number;
}

/** The forecast of a series, for people. */
export class SeriesForecastDto extends MonthEstimateDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.run })
  run_id!: string;
  @ApiProperty(SERIES_PROPERTY.series_id)
  series_id!: string;
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty(SERIES_PROPERTY.product_name)
  product_name!: string | null;
  @ApiProperty(SERIES_PROPERTY.unit)
  unit!: string | null;
  @ApiProperty({ description: 'The trend label when the run completed.', enum: TREND_LABELS, example: 'growth' })
  trend_label!: TrendLabel;
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    description:
      '100 · (1 − WAPE) of the backtest, at least 0. Null if there is no backtest or no demand in it. Mostly 0 for rare orders, however good their forecast, since their medians are mostly 0: see `rmsse` and `coverage` of the series metrics.',
    example: 87.40519,
  })
  accuracy_score!: number | null;
  @ApiProperty({
    description:
      'What to expect and how certain it is, where demand is heading, which holiday shifts it compared with the year before, and whether data are out of date.',
    example:
      'Expect about 205 bags in December 2026, and with four chances in five between 171 and 242. Demand is growing.',
  })
  summary!: string;
  @ApiProperty({
    type: [MonthEstimateDto],
    description: 'All months of the forecast. The first is the month of the top-level estimates.',
  })
  months!: MonthEstimateDto[];
}
