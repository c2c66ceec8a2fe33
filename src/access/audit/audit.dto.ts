import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { nullableString } from '../../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { IsInstant } from '../../platform/http/rules/instant.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { PageCursor, PageLimit, STANDARD_PAGE } from '../../platform/http/page-query.js';
import { IsText } from '../../platform/http/rules/text.js';
import { AUDIT_ACTIONS } from './audit-action.js';

/** SHA-256 as hexadecimal digits. */
const HEX = '^[0-9a-f]{64}$';
const EXAMPLE_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export class ListAuditDto {
  @OptionalProperty({
    example: 'api_key.created',
    description: `Only events with this action: one of ${AUDIT_ACTIONS.join(', ')}, or one that an earlier release wrote to the log.`,
  })
  @IsText({ max: 100 })
  action?: string;

  @OptionalProperty({ format: 'uuid', description: 'Only actions of this user or API key.' })
  @IsUUID('all', { message: 'must be the id of a user or an API key' })
  actor_id?: string;

  @OptionalProperty({
    example: EXAMPLE_ID.apiKey,
    description: 'Only actions on this target: the id of a key, a user or a run, or any other `target.id` of an event.',
  })
  @IsText({ max: 200 })
  target_id?: string;

  @OptionalProperty({ type: String, format: 'date-time', description: 'Only events at or after this time.' })
  @IsInstant()
  from?: Date;

  @OptionalProperty({ type: String, format: 'date-time', description: 'Only events before this time.' })
  @IsInstant()
  to?: Date;

  @PageLimit(STANDARD_PAGE)
  limit = STANDARD_PAGE.default;

  @PageCursor()
  cursor?: string;
}

class ActorBody {
  @ApiProperty({
    enum: ['user', 'api_key', 'anonymous', 'command_line', 'system'],
    description: 'What acted: a signed-in user, an API key, somebody not signed in, a command, or the service itself.',
  })
  kind!: string;

  @ApiProperty({ ...nullableString, format: 'uuid', description: 'Id of the user or API key. Null for others.' })
  id!: string | null;

  @ApiProperty({ example: 'ada@example.com', description: 'The email address of a user or the name of a key.' })
  name!: string;

  @ApiProperty({
    ...nullableString,
    description: 'Address that the request came from. Null if there was no request, or it is not known.',
    example: '192.0.2.7',
  })
  address!: string | null;
}

class TargetBody {
  @ApiProperty({ description: 'What the target is.', example: 'api_key' })
  kind!: string;

  @ApiProperty({ description: 'Id of the target, or its name if it has no id.', example: EXAMPLE_ID.apiKey })
  id!: string;
}

export class AuditEventBody {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'Position in the log: 1, 2, 3 …, without gaps.' })
  sequence!: number;

  @ApiProperty({ format: 'date-time', description: 'When it was done.' })
  occurred_at!: Date;

  @ApiProperty({ type: ActorBody, description: 'Who did it.' })
  actor!: ActorBody;

  @ApiProperty({ description: 'What was done, as `object.verb`.', example: 'api_key.created' })
  action!: string;

  @ApiProperty({ type: TargetBody, description: 'What it was done to.' })
  target!: TargetBody;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Further details of the action.' })
  details!: Record<string, unknown>;

  @ApiProperty({
    pattern: HEX,
    example: EXAMPLE_HASH,
    description: 'SHA-256 over the event and the hash of the previous event, in hexadecimal.',
  })
  hash!: string;
}

export class ChainReportBody {
  @ApiProperty({ description: 'Whether every event is unchanged and none is missing.' })
  intact!: boolean;

  @ApiProperty({ type: 'integer', description: 'Number of events verified.' })
  events!: number;

  @ApiProperty({
    pattern: HEX,
    example: EXAMPLE_HASH,
    description:
      '`hash` of the last verified event; 64 zeros if there is none. The event with that sequence number must keep this hash from then on.',
  })
  last_hash!: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Sequence number of the first event that fails verification.' })
  broken_at?: number;

  @ApiPropertyOptional({
    description: 'What is wrong with the event at which the chain breaks. Absent if the chain is intact.',
    example: 'the event was changed',
  })
  reason?: string;
}
