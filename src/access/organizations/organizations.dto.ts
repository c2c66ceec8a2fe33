import { ApiProperty } from '@nestjs/swagger';
import { PLAN_NAMES, type PlanName } from '../../../config/plans.js';
import { MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import { nullableInstant, nullableString } from '../../platform/http/openapi/api-properties.js';
import { IsFlag } from '../../platform/http/rules/flag.js';
import { IsText } from '../../platform/http/rules/text.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { IsTimeZoneName } from '../../platform/http/rules/time-zone.js';
import { IsWholeNumber } from '../../platform/http/rules/whole-number.js';
import { IsIpAllowlist } from '../network/ip-allowlist.js';
import { ROLE_PROPERTY } from './members/role-property.js';

const MAX_NAME_LENGTH = 200;
const RETENTION_MONTHS = { minimum: 1, maximum: 120 };
const OVERAGE_LIMIT = { minimum: 0, maximum: 1_000_000 };
const DATA_REGIONS = ['eu', 'us', 'uk', 'ca', 'au', 'jp'] as const;

const allowlistProperty = {
  type: String,
  isArray: true,
  description: 'Address ranges that API requests may come from; an empty list allows any address.',
  example: ['192.0.2.0/24', '2001:db8::/32'],
} as const;
const regionProperty = {
  ...nullableString,
  enum: [...DATA_REGIONS, null],
  description:
    'Where the data must stay, as stated by the organization. The service does not verify where data is stored.',
};
const retentionProperty = {
  type: 'integer',
  nullable: true,
  description:
    'Number of months that runs, forecasts, alerts, trend changes, imports and ended overrides are kept; null keeps them indefinitely.',
} as const;
const overageProperty = {
  type: 'integer',
  nullable: true,
  description:
    'Maximum number of runs beyond the quota that may be billed per month; further runs are rejected with 402. 0 allows none, null any number. Has no effect if overage is not available (see `overage_enabled` of the usage).',
  example: 20,
} as const;
const timeZoneProperty = { example: 'Europe/Berlin', description: 'Determines which day an order belongs to.' };

export class OrganizationBody {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'Name of the organization.', example: 'Acme' })
  name!: string;

  @ApiProperty({ enum: PLAN_NAMES, description: 'Plan of the organization.' })
  plan!: PlanName;

  @ApiProperty({ ...nullableInstant, description: 'When the organization was suspended. Null if it is not.' })
  suspended_at!: Date | null;

  @ApiProperty({ ...nullableString, description: 'Why the organization is suspended. Null if it is not.' })
  suspension_reason!: string | null;

  @ApiProperty(allowlistProperty)
  ip_allowlist!: string[];

  @ApiProperty(regionProperty)
  data_region!: string | null;

  @ApiProperty(retentionProperty)
  retention_months!: number | null;

  @ApiProperty(overageProperty)
  overage_limit!: number | null;

  @ApiProperty({
    description:
      'Whether requests of members without a second factor are rejected with 403 `member_second_factor_required` under /orgs and /workspaces of this organization. API keys are not affected.',
    example: false,
  })
  second_factor_required!: boolean;

  @ApiProperty({ ...nullableInstant, description: 'When the requested deletion takes effect.' })
  delete_after!: Date | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
}

export class ChangeOrganizationDto {
  @OptionalProperty({ description: 'New name of the organization.', example: 'Acme' })
  @IsText({ max: MAX_NAME_LENGTH })
  name?: string;

  @OptionalProperty(allowlistProperty)
  @IsIpAllowlist()
  ip_allowlist?: string[];

  @OptionalProperty(regionProperty)
  @IsOneOf(DATA_REGIONS, ', or null')
  data_region?: string | null;

  @OptionalProperty({ ...retentionProperty, ...RETENTION_MONTHS })
  @IsWholeNumber(RETENTION_MONTHS, ', or null')
  retention_months?: number | null;

  @OptionalProperty({ ...overageProperty, ...OVERAGE_LIMIT })
  @IsWholeNumber(OVERAGE_LIMIT, ', or null')
  overage_limit?: number | null;

  @OptionalProperty({
    type: Boolean,
    description: 'Setting `true` requires that you have a second factor yourself, and notifies all members by email.',
    example: false,
  })
  @IsFlag()
  second_factor_required?: boolean;
}

export class MemberBody {
  @ApiProperty({ format: 'uuid', description: 'Id of the user.' })
  user_id!: string;

  @ApiProperty({ description: 'Email address of the member.', example: 'ada@example.com' })
  email!: string;

  @ApiProperty({ description: 'Name of the member.', example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty(ROLE_PROPERTY)
  role!: MemberRole;

  @ApiProperty({ description: 'Whether the user signs in with a second factor.' })
  second_factor!: boolean;

  @ApiProperty({ ...nullableInstant, description: 'When a session of the user was last used.' })
  last_seen_at!: Date | null;

  @ApiProperty({ ...nullableInstant, description: "When an administrator last confirmed the member's access." })
  reviewed_at!: Date | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
}

export class ChangeMemberDto {
  @ApiProperty(ROLE_PROPERTY)
  @IsOneOf(MEMBER_ROLES)
  role!: MemberRole;
}

export class WorkspaceBody {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'Name of the workspace.', example: 'Retail' })
  name!: string;

  @ApiProperty(timeZoneProperty)
  time_zone!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
}

export class CreateWorkspaceDto {
  @ApiProperty({ description: 'Name of the workspace.', example: 'Retail' })
  @IsText({ max: MAX_NAME_LENGTH })
  name!: string;

  @OptionalProperty({ ...timeZoneProperty, default: 'UTC' })
  @IsTimeZoneName()
  time_zone?: string;
}

export class ChangeWorkspaceDto {
  @OptionalProperty({ description: 'New name of the workspace.', example: 'Retail' })
  @IsText({ max: MAX_NAME_LENGTH })
  name?: string;

  @OptionalProperty(timeZoneProperty)
  @IsTimeZoneName()
  time_zone?: string;
}
