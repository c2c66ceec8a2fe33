import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Omittable } from '../../platform/http/omittable.js';
import { QueryBoolean, QueryNumber } from '../../platform/http/validation.js';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])(-01)?$/;

export class ListForecastsDto {
  @ApiPropertyOptional({
    description: 'Rows (series and month) a page.',
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: 500,
  })
  @Omittable()
  @QueryNumber()
  @IsInt({ message: 'must be a whole number from 1 to 10000' })
  @Min(1, { message: 'must be a whole number from 1 to 10000' })
  @Max(10_000, { message: 'must be a whole number from 1 to 10000' })
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

  @ApiPropertyOptional({ description: 'Only this series: its id or its unique_id.', type: String })
  @Omittable()
  @IsString()
  @MaxLength(255, { message: 'must be at most 255 characters' })
  series_id?: string;

  @ApiPropertyOptional({ description: 'First month wanted.', type: String, example: '2026-12-01' })
  @Omittable()
  @Matches(MONTH, { message: 'must be a month such as 2026-12 or 2026-12-01' })
  from?: string;

  @ApiPropertyOptional({ description: 'Last month wanted.', type: String, example: '2027-03-01' })
  @Omittable()
  @Matches(MONTH, { message: 'must be a month such as 2026-12 or 2026-12-01' })
  to?: string;

  @ApiPropertyOptional({ description: 'Position from the Link header of the page before.', type: String })
  @Omittable()
  @IsString()
  cursor?: string;
}
