import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import { IsText } from '../../platform/http/text.js';
import { NewPassword } from '../users/password-fields.js';

export class AcceptInvitationDto {
  @ApiProperty({ example: 'fi_9dK…', minLength: 1, maxLength: 100 })
  @IsString({ message: 'must be a text' })
  @Length(1, 100, { message: 'must have 1 to 100 characters' })
  token!: string;

  @ApiProperty({ example: 'Grace Hopper', maxLength: 200 })
  @IsText({ max: 200 })
  name!: string;

  @ApiProperty({ minLength: 12, maxLength: 1_024, example: 'seven quiet rivers at dawn' })
  @NewPassword()
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
