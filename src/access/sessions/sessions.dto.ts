import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PLAN_NAMES, type PlanName } from '../../../config/plans.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { Omittable } from '../../platform/http/omittable.js';
import { IsSecondFactorCode, OwnerCode } from '../second-factor/second-factor.dto.js';
import { IsEmailAddress } from '../users/email.js';
import { GivenPassword, LONGEST_PASSWORD, NewPassword } from '../users/password-fields.js';
import { ROLE_PROPERTY } from '../organizations/role-property.js';

export class LoginDto {
  @ApiProperty({ format: 'email', example: 'ada@example.com', maxLength: 254 })
  @IsEmailAddress()
  email!: string;

  @ApiProperty({ example: 'correct horse battery staple', maxLength: LONGEST_PASSWORD })
  @GivenPassword()
  password!: string;

  @ApiPropertyOptional({
    example: '287082',
    description:
      'Required if the account has a second factor: a code from the authenticator, or a recovery code. Spaces are ignored.',
  })
  @Omittable()
  @IsSecondFactorCode()
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
  @ApiProperty({ example: 'correct horse battery staple', maxLength: LONGEST_PASSWORD })
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

  @ApiProperty({ example: 'Retail' })
  name!: string;

  @ApiProperty({ example: 'Europe/Berlin' })
  time_zone!: string;
}

export class OwnMembershipBody {
  @ApiProperty({ format: 'uuid' })
  organization_id!: string;

  @ApiProperty({ example: 'Acme' })
  organization_name!: string;

  @ApiProperty({ enum: PLAN_NAMES })
  plan!: PlanName;

  @ApiProperty(ROLE_PROPERTY)
  role!: MemberRole;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    example: null,
    description:
      'When the organization was suspended. While it is suspended, its API keys and all requests under its /orgs and /workspaces are rejected.',
  })
  suspended_at!: Date | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'The reason given by the operator.' })
  suspension_reason!: string | null;

  @ApiProperty({
    description:
      'Whether requests of members without a second factor are rejected under /orgs and /workspaces of this organization.',
    example: false,
  })
  second_factor_required!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
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

  @ApiProperty({ example: 'ada@example.com' })
  email!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ description: 'Whether the user is an operator of the platform.' })
  is_operator!: boolean;

  @ApiProperty({
    description: 'Whether the user signs in with a second factor. Operators need one for everything under /admin.',
  })
  second_factor!: boolean;

  @ApiProperty({ type: [OwnMembershipBody] })
  organizations!: OwnMembershipBody[];
}

export class SessionBody {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ format: 'date-time' })
  last_seen_at!: Date;

  @ApiProperty({ format: 'date-time' })
  expires_at!: Date;

  @ApiProperty({ type: String, nullable: true, example: '192.0.2.7' })
  address!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Mozilla/5.0' })
  user_agent!: string | null;

  @ApiProperty({ description: 'Whether this is the current session.' })
  current!: boolean;
}
