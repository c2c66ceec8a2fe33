import { ApiProperty } from '@nestjs/swagger';
import { PLAN_NAMES, type PlanName } from '../../../config/plans.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import { nullableInstant, nullableString } from '../../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { OwnerCode } from '../second-factor/second-factor.dto.js';
import { EmailAddress } from '../users/email.js';
import { GivenPassword, MAX_PASSWORD_LENGTH, NewPassword } from '../users/password-fields.js';
import { ROLE_PROPERTY } from '../organizations/members/role-property.js';

export class LoginDto {
  @EmailAddress('Email address of the account.')
  email!: string;

  @ApiProperty({
    description: 'Password of the account.',
    example: 'correct horse battery staple',
    maxLength: MAX_PASSWORD_LENGTH,
  })
  @GivenPassword()
  password!: string;

  @OwnerCode()
  code?: string;
}

export class LoginReply {
  @ApiProperty({ description: 'Bearer token; shown only once.', example: 'fs_Zr4…' })
  token!: string;

  @ApiProperty({
    description: 'When the session ends at the latest. It ends earlier if it is not used for 12 hours.',
    format: 'date-time',
  })
  expires_at!: Date;
}

export class ChangePasswordDto {
  @ApiProperty({
    description: 'The password until now.',
    example: 'correct horse battery staple',
    maxLength: MAX_PASSWORD_LENGTH,
  })
  @GivenPassword()
  current_password!: string;

  @NewPassword()
  new_password!: string;

  @OwnerCode()
  code?: string;
}

export class OwnWorkspaceBody {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  id!: string;

  @ApiProperty({ description: 'Name of the workspace.', example: 'Retail' })
  name!: string;

  @ApiProperty({ example: 'Europe/Berlin' })
  time_zone!: string;
}

export class OwnMembershipBody {
  @ApiProperty({ format: 'uuid', description: 'Id of the organization.' })
  organization_id!: string;

  @ApiProperty({ description: 'Name of the organization.', example: 'Acme' })
  organization_name!: string;

  @ApiProperty({ enum: PLAN_NAMES, description: 'Plan of the organization.' })
  plan!: PlanName;

  @ApiProperty(ROLE_PROPERTY)
  role!: MemberRole;

  @ApiProperty({
    ...nullableInstant,
    example: null,
    description:
      'When the organization was suspended. While it is suspended, its API keys and all requests under its /orgs and /workspaces are rejected.',
  })
  suspended_at!: Date | null;

  @ApiProperty({ ...nullableString, example: null, description: 'The reason given by the operator.' })
  suspension_reason!: string | null;

  @ApiProperty({
    description:
      'Whether requests of members without a second factor are rejected under /orgs and /workspaces of this organization.',
    example: false,
  })
  second_factor_required!: boolean;

  @ApiProperty({
    ...nullableInstant,
    example: null,
    description: 'When the requested deletion of the organization takes effect.',
  })
  delete_after!: Date | null;

  @ApiProperty({ type: [OwnWorkspaceBody], description: 'Newest first. Use their ids in paths under /workspaces.' })
  workspaces!: OwnWorkspaceBody[];
}

export class MeBody {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'Email address of the account.', example: 'ada@example.com' })
  email!: string;

  @ApiProperty({ description: 'Name of the user, as others see it.', example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ description: 'Whether the user is an operator of the platform.' })
  is_operator!: boolean;

  @ApiProperty({
    description: 'Whether the user signs in with a second factor. Operators need one for everything under /admin.',
  })
  second_factor!: boolean;

  @ApiProperty({ type: [OwnMembershipBody], description: 'The organizations that the user is a member of.' })
  organizations!: OwnMembershipBody[];
}

export class SessionBody {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ format: 'date-time', description: 'When the session was last used.' })
  last_seen_at!: Date;

  @ApiProperty({ format: 'date-time', description: 'When the session ends, even if it is used.' })
  expires_at!: Date;

  @ApiProperty({
    ...nullableString,
    description: 'Address that the user signed in from. Null if it is not known.',
    example: '192.0.2.7',
  })
  address!: string | null;

  @ApiProperty({
    ...nullableString,
    description: 'What the program said that it is. Null if it said nothing.',
    example: 'Mozilla/5.0',
  })
  user_agent!: string | null;

  @ApiProperty({ description: 'Whether this is the current session.' })
  current!: boolean;
}
