import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsObject, Matches } from 'class-validator';
import { nullableInstant, nullableString } from '../../platform/http/openapi/api-properties.js';
import { IsDay } from '../../platform/http/rules/calendar-day.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { IsFlag } from '../../platform/http/rules/flag.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { IsText } from '../../platform/http/rules/text.js';
import { IsTimeZoneName } from '../../platform/http/rules/time-zone.js';
import { IsWholeNumber } from '../../platform/http/rules/whole-number.js';
import type { ReconnectReason } from '../connector.js';
import { PLATFORM_NAMES, type PlatformName } from '../platforms/platform.js';
import { SyncDto } from './sync.dto.js';

const MINUTES = { minimum: 5, maximum: 1_440 };

const settingsProperty = {
  type: 'object',
  additionalProperties: { type: 'string', nullable: true },
  description:
    'Fields of the platform (see docs/connectors.md). Secrets are returned as `********`; to keep a secret, omit it or send `********`. ' +
    'URLs and fields that identify the account cannot be changed. An empty string or null removes a field.',
  example: { shop: 'example.myshopify.com', client_id: 'a1b2c3d4e5f6', client_secret: '********' },
} as const;
const intervalProperty = {
  type: 'integer',
  ...MINUTES,
  default: 60,
  description: 'Minutes between syncs.',
  example: 60,
} as const;

/** When a connector syncs: specified at creation or changed later. */
class ConnectorRhythmDto {
  @OptionalProperty(intervalProperty)
  @IsWholeNumber(MINUTES)
  sync_interval_minutes?: number;

  @OptionalProperty({
    default: true,
    description: 'Whether scheduled syncs run and webhooks are processed.',
    example: true,
  })
  @IsFlag()
  enabled?: boolean;
}

export class CreateConnectorDto extends ConnectorRhythmDto {
  @ApiProperty({
    enum: PLATFORM_NAMES,
    description: 'The platform to read. It cannot be changed later.',
    example: 'shopify',
  })
  @IsOneOf(PLATFORM_NAMES)
  platform!: PlatformName;

  @ApiProperty({ description: 'Name of the connector, by which to recognize it.', example: 'Shop DE' })
  @IsText({ max: 200 })
  name!: string;

  @ApiProperty({
    ...settingsProperty,
    example: { shop: 'example.myshopify.com', client_id: 'a1b2c3d4e5f6', client_secret: 'shpss_example' },
  })
  @IsObject({ message: 'must be a JSON object' })
  settings!: Record<string, unknown>;

  @OptionalProperty({
    type: String,
    description:
      'IANA name of the shop’s time zone, which determines the day of an order. Defaults to the time zone of the workspace. It cannot be changed later.',
    example: 'Europe/Berlin',
  })
  @IsTimeZoneName()
  time_zone?: string;

  @OptionalProperty({
    type: String,
    format: 'date',
    description:
      'First day whose orders are counted. Must be the first of a month, no later than the month in progress. By default, as far back as the platform allows. It cannot be changed later.',
    example: '2026-10-01',
  })
  @IsDay()
  @Matches(/^(?:19|[2-9]\d)\d\d-\d\d-01$/, {
    message: 'must be the first day of a month, such as 2026-10-01, in 1900 or later',
  })
  counts_from?: string;
}

export class PatchConnectorDto extends ConnectorRhythmDto {
  @OptionalProperty({ description: 'New name of the connector.', example: 'Shop DE' })
  @IsText({ max: 200 })
  name?: string;

  @OptionalProperty(settingsProperty)
  @IsObject({ message: 'must be a JSON object' })
  settings?: Record<string, unknown>;
}

class ReconnectReasonDto implements ReconnectReason {
  @ApiProperty({ description: 'What is wrong with the credentials.', example: 'invalid_grant' })
  code!: string;
  @ApiProperty({
    example:
      'oauth.example.com answered invalid_grant: it does not accept the refresh token or certificate, which has expired or was revoked. Authorize the app again, or create a new certificate, and enter the new one.',
    description: 'What the platform said.',
  })
  message!: string;
  @ApiProperty({
    format: 'date-time',
    description: 'When the credentials were first found not to work.',
    example: '2026-11-21T06:00:00.000Z',
  })
  since!: string;
}

class OrderSetAsideDto {
  @ApiProperty({ description: 'Id of the order on the platform.', example: '1042' })
  id!: string;
  @ApiProperty({ description: 'Code of the error, as in `error.code` of a sync.', example: 'malformed_reply' })
  code!: string;
  @ApiProperty({
    description: 'Why the order could not be read the last time.',
    example: 'shop.example.com answered with a body that is not JSON. The request was about order 1042.',
  })
  message!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When the order was set aside.',
    example: '2026-11-21T06:00:00.000Z',
  })
  since!: Date;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When it was last tried again. Every sync does so.',
    example: '2026-11-21T07:00:00.000Z',
  })
  last_tried_at!: Date;
}

export class LastSyncDto extends PickType(SyncDto, ['status', 'error', 'started_at', 'finished_at']) {}

/** A connector. */
export class ConnectorDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.connector })
  id!: string;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty({ enum: PLATFORM_NAMES, description: 'The platform that the connector reads.', example: 'shopify' })
  platform!: PlatformName;
  @ApiProperty({ description: 'Name of the connector, as its members chose it.', example: 'Shop DE' })
  name!: string;
  @ApiProperty({ ...settingsProperty, additionalProperties: { type: 'string' } })
  settings!: Record<string, string>;
  @ApiProperty({
    description: 'IANA name of the time zone that determines the day of an order.',
    example: 'Europe/Berlin',
  })
  time_zone!: string;
  @ApiProperty({
    format: 'date',
    description: 'Orders from this day on count; the first of a month.',
    example: '2026-10-01',
  })
  counts_from!: string;
  @ApiProperty(intervalProperty)
  sync_interval_minutes!: number;
  @ApiProperty({ description: 'Whether scheduled syncs run and webhooks are processed.', example: true })
  enabled!: boolean;
  @ApiProperty({ description: 'Whether the credentials do not work. Nothing is synced until they do.', example: false })
  needs_reconnect!: boolean;
  @ApiProperty({
    type: ReconnectReasonDto,
    nullable: true,
    description: 'Why the credentials do not work. Null while they do.',
    example: null,
  })
  reconnect_reason!: ReconnectReason | null;
  @ApiProperty({
    ...nullableString,
    description: 'URL for the platform’s webhooks. Null if the platform has none, or if PUBLIC_URL is not set.',
    example: `https://forecasts.example.com/webhooks/connectors/shopify/${EXAMPLE_ID.connector}`,
  })
  webhook_url!: string | null;
  @ApiProperty({
    ...nullableInstant,
    description: 'When the next scheduled sync starts. Null while no syncs are scheduled.',
    example: '2026-11-21T07:00:00.000Z',
  })
  next_sync_at!: Date | null;
  @ApiProperty({
    ...nullableInstant,
    description: 'When a sync last completed. Null before the first.',
    example: '2026-11-21T06:00:04.120Z',
  })
  last_synced_at!: Date | null;
  @ApiProperty({
    type: LastSyncDto,
    nullable: true,
    description:
      'The newest sync, in progress or ended (the first in `/syncs`). Null before the first, and if the retention of the organization has deleted it.',
  })
  last_sync!: LastSyncDto | null;
  @ApiProperty({
    type: 'integer',
    description:
      'Number of products whose orders do not count, because the plan allows no more series in the workspace. Once it does, the next sync counts them.',
    example: 0,
  })
  products_left_out!: number;
  @ApiProperty({
    type: [OrderSetAsideDto],
    description:
      'Orders that cannot be read, such as those whose refunds are malformed; the oldest first, 100 at most. The others are read without them. What was read of such an order before continues to count, and every sync tries it again.',
    example: [],
  })
  orders_set_aside!: OrderSetAsideDto[];
  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
  @ApiProperty({ format: 'date-time' })
  updated_at!: Date;
}

/** The result of testing the credentials. */
export class ConnectorTestDto {
  @ApiProperty({
    description: 'Whether the credentials work. Also false if they could not be tested: see `code`.',
    example: true,
  })
  ok!: boolean;
  @ApiProperty({
    ...nullableString,
    description: 'Name of the account on the platform.',
    example: 'Example Shop',
  })
  account!: string | null;
  @ApiProperty({
    ...nullableString,
    description: 'Code of the error, as in `error.code` of a sync or `reconnect_reason`. Null if the test passed.',
    example: null,
  })
  code!: string | null;
  @ApiProperty({
    ...nullableString,
    description:
      'Why the test failed or, if it passed, which orders are left out, such as those that the key may not read.',
    example: null,
  })
  message!: string | null;
}
