import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PLAN_NAMES, type PlanName } from '../../../config/plans.js';
import { MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { Omittable } from '../../platform/http/omittable.js';
import { IsSecondFactorCode, OwnerCode } from '../second-factor/second-factor.dto.js';
import { IsEmailAddress } from '../users/email.js';
import { GivenPassword, LONGEST_PASSWORD, NewPassword } from '../users/password-fields.js';

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
      'Code of the authenticator, or a recovery code, where the account has a second factor; spaces do not matter.',
  })
  @Omittable()
  @IsSecondFactorCode()
  code?: string;
}

export class LoginReply {
  @ApiProperty({ description: 'Bearer token; shown here only.', example: 'fs_Zr4…' })
  token!: string;

  @ApiProperty({
    description: 'Latest end of the session; one that is not used for 12 hours ends earlier.',
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

  @ApiProperty({ enum: MEMBER_ROLES })
  role!: MemberRole;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    example: null,
    description: 'Since when everything under /orgs and /workspaces of it is refused, and its keys are.',
  })
  suspended_at!: Date | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'What the operator gave as the reason.' })
  suspension_reason!: string | null;

  @ApiProperty({
    description: 'Whether everything under /orgs and /workspaces of it is refused to members without a second factor.',
    example: false,
  })
  second_factor_required!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    example: null,
    description: 'When a requested deletion of the organization takes effect.',
  })
  delete_after!: Date | null;

  @ApiProperty({ type: [OwnWorkspaceBody], description: 'Newest first; addresses under /workspaces take their ids.' })
  workspaces!: OwnWorkspaceBody[];
}

export class MeBody {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'ada@example.com' })
  email!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ description: 'Whether the user operates the platform.' })
  is_operator!: boolean;

  @ApiProperty({
    description: 'Whether signing in takes a second factor. Operators can do nothing under /admin without.',
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

  @ApiProperty({ description: 'Whether this is the session that asks.' })
  current!: boolean;
}
