import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../../platform/http/rules/text.js';
import { OwnerCode } from '../second-factor/second-factor.dto.js';
import { EmailAddress } from '../users/email.js';
import { LinkToken } from '../users/link-token-field.js';
import { CurrentPassword } from '../users/password-fields.js';

export class RenameDto {
  @ApiProperty({ example: 'Ada Lovelace', description: 'The name that others see, including in the forum.' })
  @IsText({ max: 200 })
  name!: string;
}

/** A session alone is not enough to move or delete an account: it may be stolen. */
class OwnerProofDto {
  @CurrentPassword()
  password!: string;

  @OwnerCode()
  code?: string;
}

export class ChangeEmailDto extends OwnerProofDto {
  @EmailAddress('The new email address, to which a link for confirmation is sent.', 'ada@example.org')
  email!: string;
}

export class DeleteAccountDto extends OwnerProofDto {}

export class ConfirmEmailDto {
  @LinkToken('fe_9dK…')
  token!: string;
}
