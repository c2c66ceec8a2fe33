import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { Omittable } from '../../platform/http/omittable.js';
import { IsText } from '../../platform/http/text.js';
import { IsSecondFactorCode } from '../second-factor/second-factor.dto.js';
import { IsEmailAddress } from '../users/email.js';
import { GivenPassword, LONGEST_PASSWORD } from '../users/password-fields.js';

export class RenameDto {
  @ApiProperty({ example: 'Ada Lovelace', description: 'What others see, in the forum too.' })
  @IsText({ max: 200 })
  name!: string;
}

export class ChangeEmailDto {
  @ApiProperty({ format: 'email', example: 'ada@example.org', maxLength: 254 })
  @IsEmailAddress()
  email!: string;

  @ApiProperty({
    example: 'correct horse battery staple',
    maxLength: LONGEST_PASSWORD,
    description: 'The current one.',
  })
  @GivenPassword()
  password!: string;
}

export class DeleteAccountDto {
  @ApiProperty({
    example: 'correct horse battery staple',
    maxLength: LONGEST_PASSWORD,
    description: 'The current one.',
  })
  @GivenPassword()
  password!: string;

  @ApiPropertyOptional({
    example: '287082',
    description:
      'Where the account has a second factor: of the authenticator, or a recovery code; spaces do not matter.',
  })
  @Omittable()
  @IsSecondFactorCode()
  code?: string;
}

export class ConfirmEmailDto {
  @ApiProperty({ example: 'fe_9dK…', minLength: 1, maxLength: 100, description: 'From the link in the e-mail.' })
  @IsString({ message: 'must be a string' })
  @Length(1, 100, { message: 'must have 1 to 100 characters' })
  token!: string;
}
