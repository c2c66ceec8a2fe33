import { ApiProperty } from '@nestjs/swagger';
import { MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import { nullableString } from '../../platform/http/openapi/api-properties.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { IsText } from '../../platform/http/rules/text.js';
import { EmailAddress } from '../users/email.js';
import { LinkToken } from '../users/link-token-field.js';
import { NewOrCurrentPassword } from '../users/password-fields.js';
import { ROLE_PROPERTY } from '../organizations/members/role-property.js';

export class CreateInvitationDto {
  @EmailAddress('Email address to which the invitation is sent.', 'grace@example.com')
  email!: string;

  @ApiProperty(ROLE_PROPERTY)
  @IsOneOf(MEMBER_ROLES)
  role!: MemberRole;
}

export class InvitationBody {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'Email address of the invited person.', example: 'grace@example.com' })
  email!: string;

  @ApiProperty(ROLE_PROPERTY)
  role!: MemberRole;

  @ApiProperty({ format: 'uuid', description: 'The user who sent the invitation.' })
  invited_by!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ format: 'date-time', description: 'When the invitation can no longer be accepted.' })
  expires_at!: Date;
}

export class IssuedInvitationBody extends InvitationBody {
  @ApiProperty({
    description: 'Whether the link was emailed to the address. If so, it is not shown here.',
    example: false,
  })
  emailed!: boolean;

  @ApiProperty({
    ...nullableString,
    description: 'The token to pass on to the invited person, shown only once. Null if the link was emailed.',
    example: 'fi_9dK…',
  })
  token!: string | null;

  @ApiProperty({
    ...nullableString,
    description:
      'A link that contains the token. Null if it was emailed, or if PUBLIC_URL is not set; in that case, the invited person opens `/invitations#` followed by the token.',
    example: 'https://forecasts.example.com/invitations#fi_9dK…',
  })
  accept_url!: string | null;
}

export class AcceptInvitationDto {
  @LinkToken('fi_9dK…')
  token!: string;

  @ApiProperty({ description: 'Name of the new user, as others see it.', example: 'Grace Hopper' })
  @IsText({ max: 200 })
  name!: string;

  @NewOrCurrentPassword()
  password!: string;
}

export class AcceptedInvitationBody {
  @ApiProperty({ format: 'uuid', description: 'Id of the organization that the user is now a member of.' })
  organization_id!: string;

  @ApiProperty({ description: 'Email address of the user, to sign in with.', example: 'grace@example.com' })
  email!: string;

  @ApiProperty(ROLE_PROPERTY)
  role!: MemberRole;
}
