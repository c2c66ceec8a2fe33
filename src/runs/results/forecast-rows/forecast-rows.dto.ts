import { ApiProperty } from '@nestjs/swagger';
import { OptionalMonth } from '../../../platform/http/rules/calendar-month.js';
import { PageCursor, PageLimit, type PageSize } from '../../../platform/http/page-query.js';
import { SERIES_PROPERTY } from '../../../series/index.js';
import { ApplyOverrides } from '../../dto/apply-overrides.js';
import { MODEL_PROPERTY } from '../../dto/model-property.js';
import { OnlyCategory, OnlySeries } from '../../dto/only-series.js';

const FORECAST_ROWS_PAGE: PageSize = { max: 10_000, default: 500 };

export class ListForecastsDto {
  @PageLimit(FORECAST_ROWS_PAGE, 'Rows (series and month)')
  limit = FORECAST_ROWS_PAGE.default;

  @ApplyOverrides()
  apply_overrides?: boolean;

  @OnlySeries()
  series_id?: string;

  @OnlyCategory()
  category?: string;

  @OptionalMonth({ description: 'First month to return.', example: '2026-12-01' })
  from?: string;

  @OptionalMonth({ description: 'Last month to return.', example: '2027-03-01' })
  to?: string;

  @PageCursor()
  cursor?: string;
}

/** A forecast row: a series and a month. */
export class ForecastRowDto {
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty({ format: 'date', description: 'The forecast month, as its first day.', example: '2026-12-01' })
  ds!: string;
  @ApiProperty({ type: Number, description: '10 % quantile.', example: 80 })
  q10!: number;
  @ApiProperty({
    type: Number,
    description: 'Median: the best estimate for this month alone. To sum, use `mean`.',
    example: 102.5,
  })
  q50!: number;
  @ApiProperty({ type: Number, description: '90 % quantile.', example: 131.2 })
  q90!: number;
  @ApiProperty({
    type: Number,
    required: false,
    description: 'With `apply_overrides=true`: the median after manual overrides.',
    example: 120,
  })
  final?: number;
  @ApiProperty(SERIES_PROPERTY.product_name)
  product_name!: string | null;
  @ApiProperty(SERIES_PROPERTY.category)
  category!: string | null;
  @ApiProperty(SERIES_PROPERTY.unit)
  unit!: string | null;
  @ApiProperty(MODEL_PROPERTY)
  model!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The additional columns of the series, as uploaded.',
    example: { supplier: 'A' },
  })
  metadata!: Record<string, unknown>;
  @ApiProperty({
    type: Number,
    description:
      'Expected demand. Means add up over months and series; quantiles do not (for those of a sum, see the totals of the run). Overrides do not change it: to include them in a sum, use mean + final − q50.',
    example: 104.1,
  })
  mean!: number;
}
