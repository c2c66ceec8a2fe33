import { ApiProperty } from '@nestjs/swagger';
import { nullableInstant } from '../../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsText } from '../../platform/http/rules/text.js';
import { IsTimeZoneName } from '../../platform/http/rules/time-zone.js';
import { IsWholeNumber } from '../../platform/http/rules/whole-number.js';
import { ConfigOverrides, ConfigOverridesDto } from '../dto/start-run.dto.js';

const DAY = { minimum: 1, maximum: 31 };
const HOUR = { minimum: 0, maximum: 23 };

const dayProperty = {
  type: 'integer',
  ...DAY,
  description: 'Day of the month. In shorter months, the last day.',
  example: 2,
} as const;
const hourProperty = {
  type: 'integer',
  ...HOUR,
  description: 'Hour of the day in the time zone.',
  example: 6,
} as const;

export class PutScheduleDto {
  @ApiProperty(dayProperty)
  @IsWholeNumber(DAY)
  day!: number;

  @ApiProperty(hourProperty)
  @IsWholeNumber(HOUR)
  hour!: number;

  @OptionalProperty({
    description: 'IANA name of the time zone. Defaults to the time zone of the workspace.',
    type: String,
    example: 'Europe/Berlin',
  })
  @IsText({ max: 64 })
  @IsTimeZoneName()
  time_zone?: string;

  @ConfigOverrides('Same as in `POST /api/v1/runs`.')
  config_overrides?: ConfigOverridesDto;
}

const WHY_NO_RUN =
  'Why the schedule did not start a run the last time: an error code of `POST /api/v1/runs`; `no_new_demand` if the run would compute the same as the last one, which still holds; `deletion_requested` while the organization is scheduled for deletion; `unknown_time_zone` if the time zone no longer exists; or `internal_error`. After the last two, it is retried at `next_run_at`, within an hour.';

/** Why a firing started no run. */
export class ScheduleFaultDto {
  @ApiProperty({ description: 'Code of the error.', example: 'quota_exceeded' })
  code!: string;
  @ApiProperty({ description: 'What went wrong.', example: 'The monthly quota of 200 runs is used up.' })
  message!: string;
}

export class RunScheduleDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty(dayProperty)
  day!: number;
  @ApiProperty(hourProperty)
  hour!: number;
  @ApiProperty({ description: 'IANA name of the time zone of `day` and `hour`.', example: 'Europe/Berlin' })
  time_zone!: string;
  @ApiProperty({
    type: ConfigOverridesDto,
    description: 'The configuration of the runs, where it differs from the defaults.',
    example: { horizon: 12 },
  })
  config_overrides!: ConfigOverridesDto;
  @ApiProperty({ format: 'date-time', description: 'When the next run starts.', example: '2026-12-02T05:00:00.000Z' })
  next_run_at!: Date;
  @ApiProperty({
    ...nullableInstant,
    description: 'When the schedule last came due. Null if it has not yet.',
    example: '2026-11-02T05:00:03.120Z',
  })
  last_fired_at!: Date | null;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description:
      'The run that the schedule started last, which `last_error` tells from the last time that it came due. Null if it has not started one yet.',
    example: EXAMPLE_ID.run,
  })
  last_run_id!: string | null;
  @ApiProperty({ type: ScheduleFaultDto, nullable: true, description: WHY_NO_RUN })
  last_error!: ScheduleFaultDto | null;
  @ApiProperty({ format: 'date-time', example: '2026-10-20T09:12:45.003Z' })
  updated_at!: Date;
  @ApiProperty({ description: 'Email address of the user who last set the schedule.', example: 'planner@example.com' })
  updated_by!: string;
}
