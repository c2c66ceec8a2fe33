import { ApiProperty } from '@nestjs/swagger';
import { CHANGE_KINDS, type ChangeKind, SEVERITIES, type Severity } from '../forecasting/change/index.js';
import { instantProperty, nullableInstant } from '../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../platform/http/openapi/example-ids.js';
import { SinceQuery, WorkspaceQuery } from '../platform/http/rules/narrowing-query.js';
import { PageCursor, PageLimit, STANDARD_PAGE } from '../platform/http/page-query.js';
import { IsFlag, QueryFlag } from '../platform/http/rules/flag.js';
import { SERIES_PROPERTY } from '../series/index.js';

/** Filters and paging of a list of alerts. */
export class AlertFilterDto {
  @QueryFlag('`true` returns only unread alerts; `false` returns all alerts.', true)
  unread?: boolean;

  @SinceQuery('Only alerts created')
  since?: Date;

  @PageLimit(STANDARD_PAGE, 'Alerts')
  limit = STANDARD_PAGE.default;

  @PageCursor()
  cursor?: string;
}

export class ListAlertsDto extends AlertFilterDto {
  @WorkspaceQuery('Only alerts of this workspace. Must be within the scope of the API key.')
  workspace_id?: string;
}

export class MarkAlertDto {
  @ApiProperty({ description: '`true` marks the alert as read, `false` as unread.', example: true })
  @IsFlag()
  read!: boolean;
}

/** An alert, as the API returns it. */
export class AlertDto {
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
    description: 'Derived from the size of `change_percent`: `high` from 50, `medium` from 25, otherwise `low`.',
    example: 'high',
  })
  severity!: Severity;
  @ApiProperty({
    example:
      'Demand has been 62 % higher than expected since August 2026: 324 pieces a month over the first 3 months against 200.',
    description: 'The finding in a sentence, with its numbers.',
  })
  message!: string;
  @ApiProperty({
    description:
      'Change of observed against expected demand in percent, from -100 to 9,999: -100 if returns exceed demand, 100 if there was demand where none was expected. For a trend change, the new trend in percent per year, or 0 if demand no longer has a trend.',
    example: 62,
  })
  change_percent!: number;
  @ApiProperty({
    description: 'First day of the month that the alert is about. For a new level, its first month.',
    format: 'date',
    example: '2026-08-01',
  })
  period!: string;
  @ApiProperty({
    format: 'uuid',
    description: 'The run that found the change.',
    example: EXAMPLE_ID.run,
  })
  run_id!: string;
  @ApiProperty(instantProperty)
  created_at!: Date;
  @ApiProperty({
    ...nullableInstant,
    description: 'When the alert was marked as read. Null while it is unread.',
    example: null,
  })
  read_at!: Date | null;
}
