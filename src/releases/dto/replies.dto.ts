import { ApiProperty } from '@nestjs/swagger';
import { idProperty, instantProperty } from '../../platform/http/openapi/api-properties.js';
import { CHANGE_KINDS, type ChangeKind } from '../release.js';
import { EntryDto } from './inputs.dto.js';

/** A numbered release of the product. */
export class ReleaseBody {
  @ApiProperty(idProperty)
  id!: string;
  @ApiProperty({ description: 'A unique semantic version.', example: '1.4.0' })
  version!: string;
  @ApiProperty({ format: 'date', description: 'The day of the release.', example: '2026-11-21' })
  released_on!: string;
  @ApiProperty({ description: 'What is new, in a few words.', example: 'Cancel a run' })
  title!: string;
  @ApiProperty({
    description: 'Markdown; may be empty.',
    example: 'You no longer have to wait for a run that was started by mistake.',
  })
  notes!: string;
  @ApiProperty({ enum: CHANGE_KINDS, description: 'The kind of the most important change.', example: 'added' })
  kind!: ChangeKind;
  @ApiProperty({ type: [EntryDto], description: 'The single changes of the release.' })
  entries!: readonly EntryDto[];
  @ApiProperty(instantProperty)
  created_at!: Date;
  @ApiProperty(instantProperty)
  updated_at!: Date;
}

/** The parts of a release that are written by people. */
export type ReleaseText = Omit<ReleaseBody, 'id' | 'created_at' | 'updated_at'>;

/** A release as a notification to a user. */
export class NotificationBody {
  @ApiProperty({ ...idProperty, description: 'Id of the release.' })
  id!: string;
  @ApiProperty({ enum: ['release'], description: 'What is announced.', example: 'release' })
  kind!: 'release';
  @ApiProperty({ description: 'Version that was released.', example: '1.4.0' })
  version!: string;
  @ApiProperty({ description: 'Title of the release.', example: 'Cancel a run' })
  title!: string;
  @ApiProperty({ description: 'Path on this service where you can read more.', example: '/changelog#v1.4.0' })
  url!: string;
  @ApiProperty(instantProperty)
  created_at!: Date;
  @ApiProperty({ description: 'Whether the user has read it.', example: false })
  read!: boolean;
}

export class UnreadBody {
  @ApiProperty({ description: 'Number of unread notifications.', type: 'integer', example: 0 })
  unread_count!: number;
}
