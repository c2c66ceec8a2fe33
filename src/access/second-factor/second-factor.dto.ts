import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Matches } from 'class-validator';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { CurrentPassword } from '../users/password-fields.js';
import { RECOVERY_CODE } from './recovery-codes.js';

/** A code with its spaces removed: authenticators show theirs in two groups, and copied codes end with a space. */
const IsCode = (pattern: RegExp, message: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.replace(/\s/g, '') : value)),
    Matches(pattern, { message }),
  );

/** An authenticator code or a recovery code. */
const IsSecondFactorCode = (): PropertyDecorator =>
  IsCode(
    new RegExp(`^\\d{6}$|${RECOVERY_CODE.source}`, 'i'),
    'must be a 6-digit code from the authenticator, or a recovery code',
  );

/** The code in addition to the password, to sign in and for what a stolen session alone must not allow. */
export const OwnerCode = (): PropertyDecorator =>
  applyDecorators(
    OptionalProperty({
      example: '287082',
      description:
        'Required if the account has a second factor: a code from the authenticator, or a recovery code. Spaces are ignored.',
    }),
    IsSecondFactorCode(),
  );

export class AuthenticatorCodeDto {
  @ApiProperty({ example: '287082', description: 'The 6 digits that the authenticator shows. Spaces are ignored.' })
  @IsCode(/^\d{6}$/, 'must be a 6-digit code from the authenticator')
  code!: string;
}

/** A session alone is not enough to set up or remove a second factor: it may be stolen. */
export class SecondFactorStartDto {
  @CurrentPassword()
  password!: string;
}

export class SecondFactorChangeDto extends SecondFactorStartDto {
  @ApiProperty({
    example: '287082',
    description: 'A code from the authenticator, or a recovery code. Spaces are ignored.',
  })
  @IsSecondFactorCode()
  code!: string;
}

export class SecondFactorSecretBody {
  @ApiProperty({
    description: 'The secret to enter into an authenticator; shown only once.',
    example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  })
  secret!: string;

  @ApiProperty({ description: 'The same secret as a URL for a QR code.', example: 'otpauth://totp/…' })
  otpauth_url!: string;
}

export class RecoveryCodesBody {
  @ApiProperty({
    type: [String],
    example: ['k7dq-3fzm-wy2a-b5ch'],
    description: 'Each can be used once in place of an authenticator code. Shown only once.',
  })
  recovery_codes!: string[];
}
