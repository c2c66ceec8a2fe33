import { ApiProperty } from '@nestjs/swagger';
import { IsEmailAddress } from '../users/email.js';
import { LinkToken } from '../users/link-token-field.js';
import { NewPassword } from '../users/password-fields.js';

export class RequestPasswordResetDto {
  @ApiProperty({
    format: 'email',
    description: 'Email address of the account.',
    example: 'ada@example.com',
    maxLength: 254,
  })
  @IsEmailAddress()
  email!: string;
}

export class ConfirmPasswordResetDto {
  @LinkToken('fr_9dK…')
  token!: string;

  @NewPassword()
  new_password!: string;
}
