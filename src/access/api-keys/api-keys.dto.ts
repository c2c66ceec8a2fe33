import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { nullableInstant, nullableString } from '../../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { IsIdOf } from '../../platform/http/rules/id-of.js';
import { IsInstant } from '../../platform/http/rules/instant.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { IsText } from '../../platform/http/rules/text.js';
import { IsIpAllowlist } from '../network/ip-allowlist.js';
import { GRACE_NAMES, type GracePeriod } from './issue/grace-periods.js';
import { KEY_STATES, type KeyState } from './key-state.js';

const MAX_NAME_LENGTH = 200;

const allowlistProperty = {
  type: String,
  isArray: true,
  example: ['192.0.2.0/24', '2001:db8::/32'],
  description: 'Address ranges that requests with the key may come from; an empty list allows any address.',
} as const;

export class CreateApiKeyDto {
  @ApiProperty({ description: 'Name of the key, by which to recognize it.', example: 'ERP export' })
  @IsText({ max: MAX_NAME_LENGTH })
  name!: string;

  @OptionalProperty({
    format: 'uuid',
    description:
      'Creates a workspace key, limited to this workspace. If omitted, creates an organization key, which can access all workspaces.',
  })
  @IsIdOf('workspace')
  workspace_id?: string;

  @OptionalProperty(allowlistProperty)
  @IsIpAllowlist()
  ip_allowlist?: string[];

  @OptionalProperty({
    type: String,
    format: 'date-time',
    description: 'When the key expires; if omitted, it never expires.',
    example: '2035-01-01T00:00:00.000Z',
  })
  @IsInstant()
  expires_at?: Date;
}

export class ChangeApiKeyDto {
  @OptionalProperty({ description: 'New name of the key.', example: 'ERP export' })
  @IsText({ max: MAX_NAME_LENGTH })
  name?: string;

  @OptionalProperty(allowlistProperty)
  @IsIpAllowlist()
  ip_allowlist?: string[];
}

export class RotateApiKeyDto {
  @ApiProperty({ enum: GRACE_NAMES, description: 'How long the old key keeps working.' })
  @IsOneOf(GRACE_NAMES)
  grace_period!: GracePeriod;

  @OptionalProperty({
    type: String,
    format: 'date-time',
    description:
      'When the successor expires; if omitted, it gets the same lifetime as the old key, or no expiry if that has none.',
    example: '2035-01-01T00:00:00.000Z',
  })
  @IsInstant()
  expires_at?: Date;
}

export class CheckAddressDto {
  @ApiProperty({ ...allowlistProperty, description: 'The address ranges to check against.' })
  @IsIpAllowlist()
  ip_allowlist!: string[];

  @OptionalProperty({
    example: '192.0.2.7',
    description: 'The address to check; defaults to the one this request comes from.',
  })
  @IsString({ message: 'must be an IPv4 or IPv6 address' })
  address?: string;
}

export class CheckedAddressBody {
  @ApiProperty({ description: 'The address that was checked.', example: '192.0.2.7' })
  address!: string;

  @ApiProperty({
    type: [String],
    description: 'The ranges in their normalized form, as they would be stored.',
    example: ['192.0.2.0/24'],
  })
  ip_allowlist!: string[];

  @ApiProperty({ description: 'Whether a request from the address would pass the list.' })
  passes!: boolean;
}

export class ApiKeyBody {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.apiKey })
  id!: string;

  @ApiProperty({ description: 'Name of the key, as its administrators chose it.', example: 'ERP export' })
  name!: string;

  @ApiProperty({
    ...nullableString,
    format: 'uuid',
    description: 'The workspace of a workspace key; null for an organization key, which can access all workspaces.',
  })
  workspace_id!: string | null;

  @ApiProperty({
    enum: KEY_STATES,
    description: '`unreadable`: the installation has lost the secret that the key was hashed with. Create a new key.',
  })
  state!: KeyState;

  @ApiProperty({ description: 'The first characters of the key, by which to recognize it.', example: 'fk_a1B2' })
  prefix!: string;

  @ApiProperty({ description: 'The last four characters of the key, by which to recognize it.', example: 'x9Yz' })
  last_four!: string;

  @ApiProperty(allowlistProperty)
  ip_allowlist!: string[];

  @ApiProperty({ ...nullableInstant, description: 'When a downgrade of the plan locked the key.' })
  locked_at!: Date | null;

  @ApiProperty({ ...nullableInstant, description: 'When the key was revoked. Null if it was not.' })
  revoked_at!: Date | null;

  @ApiProperty({ ...nullableInstant, description: 'When the key stops working. Null if it does not expire.' })
  expires_at!: Date | null;

  @ApiProperty({ ...nullableInstant, description: 'When the key was last used, to the second.' })
  last_used_at!: Date | null;

  @ApiProperty({
    ...nullableString,
    format: 'uuid',
    description:
      'The user who created the key, kept even after the account is deleted; null if it was created on the command line.',
  })
  created_by!: string | null;

  @ApiProperty({
    ...nullableString,
    example: 'ada@example.com',
    description: 'The email address that this user had at the time.',
  })
  created_by_email!: string | null;

  @ApiProperty({ ...nullableString, format: 'uuid', description: 'The key that replaces this one.', example: null })
  successor_id!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
}

export class IssuedApiKeyBody extends ApiKeyBody {
  @ApiProperty({ description: 'The key itself; shown only once.', example: 'fk_…' })
  api_key!: string;
}
