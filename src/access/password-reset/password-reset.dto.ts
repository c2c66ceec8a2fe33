import { EmailAddress } from '../users/email.js';
import { LinkToken } from '../users/link-token-field.js';
import { NewPassword } from '../users/password-fields.js';

export class RequestPasswordResetDto {
  @EmailAddress('Email address of the account.')
  email!: string;
}

export class ConfirmPasswordResetDto {
  @LinkToken('fr_9dK…')
  token!: string;

  @NewPassword()
  new_password!: string;
}
