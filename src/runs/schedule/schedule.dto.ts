import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { Omittable } from '../../platform/http/omittable.js';
import { IsText } from '../../platform/http/text.js';
import { IsTimeZoneName } from '../../platform/http/time-zone.js';
import { IsWholeNumber } from '../../platform/http/whole-number.js';
import { ConfigOverridesDto } from '../dto/start-run.dto.js';
import type { RunSchedule, ScheduleFault } from './schedule.queries.js';

const DAY = { minimum: 1, maximum: 31 };
const HOUR = { minimum: 0, maximum: 23 };

const dayProperty = {
  type: 'integer',
  ...DAY,
  description: 'Day of the month; in a month that is shorter its last day.',
  example: 2,
} as const;
const hourProperty = {
  type: 'integer',
  ...HOUR,
  description: 'Hour of the day by the clock of the time zone.',
  example: 6,
} as const;

export class PutScheduleDto {
  @ApiProperty(dayProperty)
  @IsWholeNumber(DAY)
  day!: number;

  @ApiProperty(hourProperty)
  @IsWholeNumber(HOUR)
  hour!: number;

  @ApiPropertyOptional({
    description: 'IANA name of the time zone; by default that of the workspace.',
    type: String,
    example: 'Europe/Berlin',
  })
  @Omittable()
  @IsText({ max: 64 })
  @IsTimeZoneName()
  time_zone?: string;

  @ApiPropertyOptional({ description: 'As in POST /api/v1/runs.', type: ConfigOverridesDto, example: { horizon: 12 } })
  @Omittable()
  @IsObject({ message: 'must be a JSON object' })
  @ValidateNested()
  @Type(() => ConfigOverridesDto)
  config_overrides?: ConfigOverridesDto;
}

const WHY_NO_RUN =
  'Why the last firing started no run: a code that POST /api/v1/runs refuses with, `deletion_requested` while the organization is to be deleted, `unknown_time_zone` where the time zone is not known any more, or `internal_error`. After the last two it is tried again at `next_run_at`, within an hour.';

class ScheduleFaultDto implements ScheduleFault {
  @ApiProperty({ example: 'quota_exceeded' })
  code!: string;
  @ApiProperty({ example: 'The monthly quota of 200 runs is used up.' })
  message!: string;
}

/** The schedule of a workspace. */
export class RunScheduleDto implements RunSchedule {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty(dayProperty)
  day!: number;
  @ApiProperty(hourProperty)
  hour!: number;
  @ApiProperty({ example: 'Europe/Berlin' })
  time_zone!: string;
  @ApiProperty({ type: ConfigOverridesDto, example: { horizon: 12 } })
  config_overrides!: ConfigOverridesDto;
  @ApiProperty({ format: 'date-time', example: '2026-12-02T05:00:00.000Z' })
  next_run_at!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-02T05:00:03.120Z' })
  last_fired_at!: Date | null;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The run that the last firing started; null where it could not.',
    example: EXAMPLE_ID.run,
  })
  last_run_id!: string | null;
  @ApiProperty({ type: ScheduleFaultDto, nullable: true, description: WHY_NO_RUN })
  last_error!: ScheduleFault | null;
  @ApiProperty({ format: 'date-time', example: '2026-10-20T09:12:45.003Z' })
  updated_at!: Date;
  @ApiProperty({ description: 'Who set it.', example: 'planner@example.com' })
  updated_by!: string;
}
