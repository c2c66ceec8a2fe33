import { ApiProperty } from '@nestjs/swagger';
import { OptionalMonth } from '../../../platform/http/rules/calendar-month.js';
import { QueryFlag } from '../../../platform/http/rules/flag.js';
import { IsOneOf } from '../../../platform/http/rules/one-of.js';
import { OptionalProperty } from '../../../platform/http/rules/optional-property.js';
import { SERIES_PROPERTY } from '../../../series/index.js';
import { OnlyCategory } from '../../dto/only-series.js';

const GROUPINGS = ['category', 'workspace'] as const;
type Grouping = (typeof GROUPINGS)[number];

export class ListTotalsDto {
  @OptionalProperty({
    description:
      'What to add up: the series of each category, or all series. Series with different units are never added up.',
    enum: GROUPINGS,
    default: 'category',
  })
  @IsOneOf(GROUPINGS)
  group_by: Grouping = 'category';

  @OnlyCategory()
  category?: string;

  @QueryFlag('Only series without a category. Cannot be combined with `category`.')
  without_category?: boolean;

  @OptionalMonth({ description: 'First month to return.', example: '2026-12-01' })
  from?: string;

  @OptionalMonth({ description: 'Last month to return.', example: '2027-03-01' })
  to?: string;

  @QueryFlag('Adds up the months, too: one total for all months from `from` to `to`.')
  sum_months?: boolean;

  @QueryFlag('Adds `final`: the mean with what the active manual overrides change, never below 0.')
  apply_overrides?: boolean;
}

/** The total demand of several series in a month, or in several. */
export class ForecastTotalDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Category of the series. Null for those without one, and with `group_by=workspace`.',
    example: 'Coffee',
  })
  category!: string | null;
  @ApiProperty(SERIES_PROPERTY.unit)
  unit!: string | null;
  @ApiProperty({ format: 'date', description: 'The (first) forecast month, as its first day.', example: '2026-12-01' })
  ds!: string;
  @ApiProperty({ type: 'integer', description: 'Number of months added up: 1 unless `sum_months=true`.', example: 1 })
  months!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of series whose forecast includes the month, or one of them.',
    example: 24,
  })
  series!: number;
  @ApiProperty({ type: Number, description: '10 % quantile of the total.', example: 2270 })
  q10!: number;
  @ApiProperty({ type: Number, description: 'Median of the total.', example: 2490.5 })
  q50!: number;
  @ApiProperty({ type: Number, description: '90 % quantile of the total.', example: 2731.2 })
  q90!: number;
  @ApiProperty({
    type: Number,
    description: 'Expected demand: the sum of the `mean` of the forecast rows.',
    example: 2496.4,
  })
  mean!: number;
  @ApiProperty({
    type: Number,
    required: false,
    description: 'With `apply_overrides=true`: `mean` plus, for each series, its median after overrides less before.',
    example: 2610,
  })
  final?: number;
}
