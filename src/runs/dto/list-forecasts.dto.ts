import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsMonth, MONTH } from '../../platform/http/calendar-month.js';
import { Omittable } from '../../platform/http/omittable.js';
import { PageCursor, PageLimit, type PageSize } from '../../platform/http/page-query.js';
import { QueryBoolean } from '../../platform/http/validation.js';
import { OnlySeries } from './only-series.js';

export const FORECAST_ROWS_PAGE: PageSize = { max: 10_000, default: 500 };

export class ListForecastsDto {
  @PageLimit(FORECAST_ROWS_PAGE, 'Rows (series and month)')
  limit?: number;

  @ApiPropertyOptional({
    description: 'Adds `final`: the median after the active manual overrides, never below 0.',
    type: Boolean,
    default: false,
  })
  @Omittable()
  @QueryBoolean()
  @IsBoolean({ message: 'must be true or false' })
  apply_overrides?: boolean;

  @OnlySeries()
  series_id?: string;

  @ApiPropertyOptional({
    description: 'First month wanted.',
    type: String,
    pattern: MONTH.source,
    example: '2026-12-01',
  })
  @Omittable()
  @IsMonth()
  from?: string;

  @ApiPropertyOptional({
    description: 'Last month wanted.',
    type: String,
    pattern: MONTH.source,
    example: '2027-03-01',
  })
  @Omittable()
  @IsMonth()
  to?: string;

  @PageCursor()
  cursor?: string;
}
