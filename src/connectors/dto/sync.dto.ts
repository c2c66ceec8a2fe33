import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { Omittable } from '../../platform/http/omittable.js';
import { type Sync, type SyncProgress, type SyncTrigger } from '../sync/syncs.queries.js';
import { SYNC_STATES, type SyncError, type SyncState } from '../sync/sync-state.js';

export class RequestSyncDto {
  @ApiPropertyOptional({
    default: false,
    description:
      'Whether to read everything again, from `counts_from` on. Needed where fields that decide what counts, or SKUs, were changed, or orders were deleted without a notice. A sync that is open ends.',
    example: true,
  })
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  full?: boolean;
}

class SyncProgressDto implements SyncProgress {
  @ApiProperty({ type: 'integer', example: 12 })
  pages!: number;
  @ApiProperty({ type: 'integer', description: 'Orders looked at.', example: 583 })
  orders_read!: number;
  @ApiProperty({ type: 'integer', description: 'Orders that were new or count otherwise than before.', example: 17 })
  orders_changed!: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Lines that name no product, or a unit that their product does not have, of versions of orders that were not stored before; and orders that cannot be read, whenever they come.',
    example: 0,
  })
  lines_skipped!: number;
}

class SyncErrorDto implements SyncError {
  @ApiProperty({ example: 'platform_error' })
  code!: string;
  @ApiProperty({ example: 'example.myshopify.com answered 502.' })
  message!: string;
}

/** A sync of a connector. */
export class SyncDto implements Sync {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.sync })
  id!: string;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.connector })
  connector_id!: string;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty({ enum: SYNC_STATES, example: 'completed' })
  status!: SyncState;
  @ApiProperty({ enum: ['schedule', 'manual'], example: 'schedule' })
  trigger!: SyncTrigger;
  @ApiProperty({
    description: 'Whether it reads everything again, as a member had asked, or goes on with that.',
    example: false,
  })
  full!: boolean;
  @ApiProperty({ type: SyncProgressDto })
  progress!: SyncProgressDto;
  @ApiProperty({
    type: SyncErrorDto,
    nullable: true,
    description: 'Why it failed, or what it tries again after.',
    example: null,
  })
  error!: SyncError | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'While the platform asked to wait, or a fault is given time to pass.',
    example: null,
  })
  waiting_until!: Date | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-21T06:00:01.000Z' })
  started_at!: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-21T06:00:04.120Z' })
  finished_at!: Date | null;
}
