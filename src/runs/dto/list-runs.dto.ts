import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { Omittable } from '../../platform/http/omittable.js';
import { QueryInstant, QueryNumber } from '../../platform/http/validation.js';
import { RUN_STATUSES } from '../run.js';

/** `complete` is what automation platforms send; it means `completed`. */
export const STATUS_FILTER = ['complete', ...RUN_STATUSES] as const;

/** What narrows and pages a list of runs. */
export class RunFilterDto {
  @ApiPropertyOptional({ description: '`complete` means `completed`.', enum: STATUS_FILTER })
  @Omittable()
  @IsIn(STATUS_FILTER, { message: `must be one of: ${STATUS_FILTER.join(', ')}` })
  status?: (typeof STATUS_FILTER)[number];

  @ApiPropertyOptional({
    description: 'Only runs that finished strictly after this instant (ISO 8601; a date alone is midnight UTC).',
    type: String,
    format: 'date-time',
    example: '2026-11-21T06:00:00Z',
  })
  @Omittable()
  @QueryInstant()
  since?: Date;

  @ApiPropertyOptional({ description: 'Runs a page.', type: 'integer', minimum: 1, maximum: 500, default: 50 })
  @Omittable()
  @QueryNumber()
  @IsInt({ message: 'must be a whole number from 1 to 500' })
  @Min(1, { message: 'must be a whole number from 1 to 500' })
  @Max(500, { message: 'must be a whole number from 1 to 500' })
  limit?: number;

  @ApiPropertyOptional({ description: 'Position from the Link header of the page before.', type: String })
  @Omittable()
  @IsString()
  cursor?: string;
}

export class ListRunsDto extends RunFilterDto {
  @ApiPropertyOptional({ description: 'Only runs of this workspace; must match the scope of the key.', type: String })
  @Omittable()
  @IsString()
  workspace_id?: string;
}
