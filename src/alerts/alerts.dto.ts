import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { CHANGE_KINDS, type ChangeKind, SEVERITIES, type Severity } from '../forecasting/change/index.js';
import { EXAMPLE_ID } from '../platform/http/example-ids.js';
import { SinceQuery, WorkspaceQuery } from '../platform/http/narrowing-query.js';
import { Omittable } from '../platform/http/omittable.js';
import { PageCursor, PageLimit, STANDARD_PAGE } from '../platform/http/page-query.js';
import { QueryBoolean } from '../platform/http/validation.js';
import { SERIES_PROPERTY } from '../series/index.js';
import type { Alert } from './alerts.queries.js';

/** What narrows and pages a list of alerts. */
export class AlertFilterDto {
  @ApiPropertyOptional({
    description: '`true`: only alerts that nobody has marked as read; `false`: read ones too.',
    type: Boolean,
    default: true,
  })
  @Omittable()
  @QueryBoolean()
  @IsBoolean({ message: 'must be true or false' })
  unread?: boolean;

  @SinceQuery('Only alerts created')
  since?: Date;

  @PageLimit(STANDARD_PAGE, 'Alerts')
  limit?: number;

  @PageCursor()
  cursor?: string;
}

export class ListAlertsDto extends AlertFilterDto {
  @WorkspaceQuery('Only alerts of this workspace; must match the scope of the key.')
  workspace_id?: string;
}

export class MarkAlertDto {
  @ApiProperty({ description: 'Whether the alert counts as read.', example: true })
  @IsBoolean({ message: 'must be true or false' })
  read!: boolean;
}

/** An alert of the API. */
export class AlertDto implements Alert {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.alert })
  id!: string;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty(SERIES_PROPERTY.series_id)
  series_id!: string;
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty(SERIES_PROPERTY.product_name)
  product_name!: string | null;
  @ApiProperty({
    enum: CHANGE_KINDS,
    description:
      '`level_shift_up`, `level_shift_down`: demand has a new level. `spike`, `drop`: a single month stands out. `trend_change`: the trend label changed.',
    example: 'level_shift_up',
  })
  kind!: ChangeKind;
  @ApiProperty({
    enum: SEVERITIES,
    description: 'By the size of `change_percent`: `high` from 50, `medium` from 25, else `low`.',
    example: 'high',
  })
  severity!: Severity;
  @ApiProperty({
    example:
      'Demand has been 62 % higher than expected since August 2026: 324 pieces a month over the first 3 months against 200.',
  })
  message!: string;
  @ApiProperty({
    description:
      'Observed against expected demand in percent, -100 to 9,999: more returns than demand is -100, demand where none was expected 100. For a trend change the new trend in percent a year, 0 where demand no longer has one.',
    example: 62,
  })
  change_percent!: number;
  @ApiProperty({
    description: 'First day of the month that the alert is about; of a new level its first month.',
    format: 'date',
    example: '2026-08-01',
  })
  period!: string;
  @ApiProperty({
    format: 'uuid',
    description: 'The run that found it.',
    example: EXAMPLE_ID.run,
  })
  run_id!: string;
  @ApiProperty({ format: 'date-time', example: '2026-11-21T06:00:00.000Z' })
  created_at!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  read_at!: Date | null;
}
