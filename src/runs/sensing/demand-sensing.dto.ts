import { ApiProperty } from '@nestjs/swagger';
import { PageCursor, PageLimit, type PageSize } from '../../platform/http/page-query.js';
import { DescribedSeriesDto } from '../dto/named-series.dto.js';
import { OnlyCategory, OnlySeries } from '../dto/only-series.js';

const SENSED_SERIES_PAGE: PageSize = { max: 500, default: 100 };

export class DemandSensingQueryDto {
  @OnlySeries()
  series_id?: string;

  @OnlyCategory()
  category?: string;

  @PageLimit(SENSED_SERIES_PAGE, 'Series')
  limit = SENSED_SERIES_PAGE.default;

  @PageCursor()
  cursor?: string;
}

/** The current month of a series: what the run expected, what came in, and what to expect now. */
export class SensedDemandDto extends DescribedSeriesDto {
  @ApiProperty({ format: 'date', description: 'The month in progress.', example: '2026-11-01' })
  period!: string;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description:
      'Last day whose demand is included. Null if nothing is known about the month: the series has no row in it and had no daily demand in the three months before, so it keeps its prior.',
    example: '2026-11-20',
  })
  as_of!: string | null;
  @ApiProperty({ description: 'Expected demand of the month according to the run.', example: 204.5 })
  prior!: number;
  @ApiProperty({ description: 'Stored demand up to `as_of`, net of returns.', example: 150 })
  month_to_date!: number;
  @ApiProperty({ description: 'Share of a month that is usually sold by then, from 0 to 1.', example: 0.64 })
  expected_share!: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Month to date divided by expected share: the demand of the month if it continued at this rate. Null at the very start of the month. Unusually large returns are not subtracted, since they belong to earlier sales.',
    example: 234.4,
  })
  run_rate!: number | null;
  @ApiProperty({
    description:
      'Weight of the run rate against the prior in the mean, from 0 to 1: mean = weight · run_rate + (1 − weight) · prior, minus unusually large returns ' +
      '(run_rate · expected_share − month_to_date), and never below 0. Without a run rate: mean = month_to_date + (1 − weight) · prior.',
    example: 0.766,
  })
  weight!: number;
  @ApiProperty({ description: 'Current expected demand of the whole month.', example: 227.4 })
  mean!: number;
  @ApiProperty({ description: '10th percentile of the demand of the whole month.', example: 212 })
  q10!: number;
  @ApiProperty({ description: 'Median of the demand of the whole month.', example: 227 })
  q50!: number;
  @ApiProperty({ description: '90th percentile of the demand of the whole month.', example: 243 })
  q90!: number;
}
