import { ApiProperty } from '@nestjs/swagger';
import { idProperty, instantProperty } from '../../platform/http/api-properties.js';
import { CHANGE_KINDS } from '../release.js';
import { EntryDto } from './inputs.dto.js';

// Schemas of the routes' replies. The services build the values; these classes only describe them.

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
  kind!: string;
  @ApiProperty({ type: [EntryDto], description: 'The single changes of the release.' })
  entries!: EntryDto[];
  @ApiProperty(instantProperty)
  created_at!: Date;
  @ApiProperty(instantProperty)
  updated_at!: Date;
}

export class NotificationBody {
  @ApiProperty({ ...idProperty, description: 'Id of the release.' })
  id!: string;
  @ApiProperty({ enum: ['release'], description: 'What is announced.', example: 'release' })
  kind!: string;
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
