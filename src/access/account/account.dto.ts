import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Omittable } from '../../platform/http/omittable.js';
import { IsText } from '../../platform/http/text.js';
import { IsSecondFactorCode } from '../second-factor/second-factor.dto.js';
import { IsEmailAddress } from '../users/email.js';
import { LinkToken } from '../users/link-token-field.js';
import { CurrentPassword } from '../users/password-fields.js';

export class RenameDto {
  @ApiProperty({ example: 'Ada Lovelace', description: 'What others see, in the forum too.' })
  @IsText({ max: 200 })
  name!: string;
}

/** A session alone neither moves an account nor ends it: it may be stolen. */
class OwnerProofDto {
  @CurrentPassword()
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

export class ChangeEmailDto extends OwnerProofDto {
  @ApiProperty({ format: 'email', example: 'ada@example.org', maxLength: 254 })
  @IsEmailAddress()
  email!: string;
}

export class DeleteAccountDto extends OwnerProofDto {}

export class ConfirmEmailDto {
  @LinkToken('fe_9dK…', 'From the link in the e-mail.')
  token!: string;
}
