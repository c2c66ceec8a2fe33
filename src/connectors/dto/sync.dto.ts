import { ApiProperty } from '@nestjs/swagger';
import { nullableInstant } from '../../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { IsFlag } from '../../platform/http/rules/flag.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { SYNC_STATES, SYNC_TRIGGERS, type SyncError, type SyncState, type SyncTrigger } from '../sync/sync-state.js';

export class RequestSyncDto {
  @OptionalProperty({
    default: false,
    description:
      'Whether to read everything again, from `counts_from` on. Required after changing SKUs or fields that determine what counts, or if orders were deleted without a webhook. Ends the sync in progress, if there is one.',
    example: true,
  })
  @IsFlag()
  full?: boolean;
}

class SyncProgressDto {
  @ApiProperty({ type: 'integer', description: 'Number of pages read.', example: 12 })
  pages!: number;
  @ApiProperty({ type: 'integer', description: 'Number of orders read.', example: 583 })
  orders_read!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of orders that are new or count differently than before.',
    example: 17,
  })
  orders_changed!: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Number of order lines without a product, with a SKU longer than 255 characters, an impossible quantity, or a unit that their product does not have, in order versions not stored before; plus orders that cannot be read, each time they are listed.',
    example: 0,
  })
  lines_skipped!: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Number of products that this sync was the first to leave out, because the plan allows no more series in the workspace.',
    example: 0,
  })
  products_left_out!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of orders that this sync was the first to set aside, because they cannot be read.',
    example: 0,
  })
  orders_set_aside!: number;
}

class SyncErrorDto implements SyncError {
  @ApiProperty({ description: 'Code of the error.', example: 'platform_error' })
  code!: string;
  @ApiProperty({ description: 'What went wrong.', example: 'example.myshopify.com answered 502.' })
  message!: string;
}

/** A sync of a connector. */
export class SyncDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.sync })
  id!: string;
  @ApiProperty({ format: 'uuid', description: 'Id of the connector.', example: EXAMPLE_ID.connector })
  connector_id!: string;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty({
    enum: SYNC_STATES,
    description: '`queued`, then `running`, then `completed` or `failed`, which are final.',
    example: 'completed',
  })
  status!: SyncState;
  @ApiProperty({
    enum: SYNC_TRIGGERS,
    description: 'Whether it was due (`schedule`) or a member requested it (`manual`).',
    example: 'schedule',
  })
  trigger!: SyncTrigger;
  @ApiProperty({
    description: 'Whether the sync reads everything again, as requested by a member, or continues to do so.',
    example: false,
  })
  full!: boolean;
  @ApiProperty({ type: SyncProgressDto, description: 'What the sync has read so far.' })
  progress!: SyncProgressDto;
  @ApiProperty({
    type: SyncErrorDto,
    nullable: true,
    description: 'Why the sync failed, or the error after which it retries.',
    example: null,
  })
  error!: SyncError | null;
  @ApiProperty({
    ...nullableInstant,
    description: 'When the sync resumes, if the platform asked to wait or an error is being retried. Null otherwise.',
    example: null,
  })
  waiting_until!: Date | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
  @ApiProperty({ ...nullableInstant, example: '2026-11-21T06:00:01.000Z' })
  started_at!: Date | null;
  @ApiProperty({ ...nullableInstant, example: '2026-11-21T06:00:04.120Z' })
  finished_at!: Date | null;
}
