import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, Matches } from 'class-validator';
import { Omittable } from '../../platform/http/omittable.js';
import { PageCursor, PageLimit, type PageSize } from '../../platform/http/page-query.js';
import { QueryBoolean } from '../../platform/http/validation.js';
import { OnlySeries } from './only-series.js';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])(-01)?$/;

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

  @ApiPropertyOptional({ description: 'First month wanted.', type: String, example: '2026-12-01' })
  @Omittable()
  @Matches(MONTH, { message: 'must be a month such as 2026-12 or 2026-12-01' })
  from?: string;

  @ApiPropertyOptional({ description: 'Last month wanted.', type: String, example: '2027-03-01' })
  @Omittable()
  @Matches(MONTH, { message: 'must be a month such as 2026-12 or 2026-12-01' })
  to?: string;

  @PageCursor()
  cursor?: string;
}
