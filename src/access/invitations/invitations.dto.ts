import { ApiProperty } from '@nestjs/swagger';
import { MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import { IsOneOf } from '../../platform/http/one-of.js';
import { IsText } from '../../platform/http/text.js';
import { IsEmailAddress } from '../users/email.js';
import { LinkToken } from '../users/link-token-field.js';
import { NewOrCurrentPassword } from '../users/password-fields.js';

export class CreateInvitationDto {
  @ApiProperty({ format: 'email', example: 'grace@example.com', maxLength: 254 })
  @IsEmailAddress()
  email!: string;

  @ApiProperty({ enum: MEMBER_ROLES })
  @IsOneOf(MEMBER_ROLES)
  role!: MemberRole;
}

export class InvitationBody {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'grace@example.com' })
  email!: string;

  @ApiProperty({ enum: MEMBER_ROLES })
  role!: MemberRole;

  @ApiProperty({ format: 'uuid', description: 'The user who invited.' })
  invited_by!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ format: 'date-time' })
  expires_at!: Date;
}

export class IssuedInvitationBody extends InvitationBody {
  @ApiProperty({ description: 'Whether the link was sent to the address; then it is not shown here.', example: false })
  emailed!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Hand this to the invited person; it is shown here only. Null where it was sent by e-mail.',
    example: 'fi_9dK…',
  })
  token!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'A link that carries the token; null where it was sent, and while PUBLIC_URL is not configured: the person then opens `/invitations#` with the token after it.',
    example: 'https://forecasts.example.com/invitations#fi_9dK…',
  })
  accept_url!: string | null;
}

export class AcceptInvitationDto {
  @LinkToken('fi_9dK…')
  token!: string;

  @ApiProperty({ example: 'Grace Hopper' })
  @IsText({ max: 200 })
  name!: string;

  @NewOrCurrentPassword()
  password!: string;
}

export class AcceptedInvitationBody {
  @ApiProperty({ format: 'uuid' })
  organization_id!: string;

  @ApiProperty({ example: 'grace@example.com' })
  email!: string;

  @ApiProperty({ enum: MEMBER_ROLES })
  role!: MemberRole;
}
