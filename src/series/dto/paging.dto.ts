import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { QueryNumber } from '../../platform/http/validation.js';

const RANGE = 'must be a whole number from 1 to 1000';

/** Page size and position of a list. */
export class PagingDto {
  @ApiPropertyOptional({ description: 'Items a page.', type: 'integer', minimum: 1, maximum: 1000, default: 100 })
  @IsOptional()
  @QueryNumber()
  @IsInt({ message: RANGE })
  @Min(1, { message: RANGE })
  @Max(1000, { message: RANGE })
  limit?: number;

  @ApiPropertyOptional({ description: 'Position from the Link header of the page before.', type: String })
  @IsOptional()
  @IsString()
  cursor?: string;
}

export const DEFAULT_PAGE = 100;
