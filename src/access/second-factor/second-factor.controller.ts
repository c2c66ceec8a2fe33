import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../../platform/http/access-declaration.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { CurrentUser, type UserCaller } from '../guard/caller.js';
import {
  AuthenticatorCodeDto,
  RecoveryCodesBody,
  SecondFactorChangeDto,
  SecondFactorSecretBody,
  SecondFactorStartDto,
} from './second-factor.dto.js';
import { SecondFactorService } from './second-factor.service.js';

@ApiTags('Sign-in')
@SignedIn()
@Controller('auth/second-factor')
export class SecondFactorController {
  constructor(private readonly factor: SecondFactorService) {}

  @Post()
  @ApiOperation({
    summary: 'Enroll a second factor',
    description:
      'Creates a secret for an authenticator app (TOTP, RFC 6238). The second factor is not required until you confirm it with a code. Requires the current password, in case the session was stolen.',
  })
  @ApiCreatedResponse({ type: SecondFactorSecretBody })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The current password is wrong.', ['password_wrong'])
  @ApiProblem(409, 'A second factor is already enabled.', ['second_factor_on'])
  @ApiProblem(429, 'Too many wrong passwords; see Retry-After.', ['too_many_attempts'])
  begin(@CurrentUser() user: UserCaller, @Body() body: SecondFactorStartDto): Promise<SecondFactorSecretBody> {
    return this.factor.begin(user, body.password);
  }

  @Post('confirm')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Confirm the second factor',
    description:
      'Enables the second factor: from now on, signing in requires a code. Other sessions of the user end. The response contains recovery codes in case the authenticator is lost.',
  })
  @ApiOkResponse({ type: RecoveryCodesBody })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The code is wrong, already used or cannot be verified.', ['code_wrong', 'second_factor_unreadable'])
  @ApiProblem(409, 'No second factor is being enrolled, or it is already enabled.', [
    'second_factor_off',
    'second_factor_on',
  ])
  @ApiProblem(429, 'Too many wrong codes; see Retry-After.', ['too_many_attempts'])
  confirm(@CurrentUser() user: UserCaller, @Body() body: AuthenticatorCodeDto): Promise<RecoveryCodesBody> {
    return this.factor.confirm(user, body.code);
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Regenerate recovery codes',
    description:
      'Replaces all existing recovery codes. Requires the current password and a code, in case the session was stolen.',
  })
  @ApiOkResponse({ type: RecoveryCodesBody })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The password is wrong, or the code is wrong, already used or cannot be verified.', [
    'password_wrong',
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(409, 'The account has no second factor.', ['second_factor_off'])
  @ApiProblem(429, 'Too many wrong passwords or codes; see Retry-After.', ['too_many_attempts'])
  renew(@CurrentUser() user: UserCaller, @Body() body: SecondFactorChangeDto): Promise<RecoveryCodesBody> {
    return this.factor.renewRecoveryCodes(user, body);
  }

  @Post('remove')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove the second factor',
    description: 'Removes the second factor. Requires the current password and a code, in case the session was stolen.',
  })
  @ApiNoContentResponse({ description: 'The second factor was removed.' })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The password is wrong, or the code is wrong, already used or cannot be verified.', [
    'password_wrong',
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(409, 'The account has no second factor.', ['second_factor_off'])
  @ApiProblem(429, 'Too many wrong passwords or codes; see Retry-After.', ['too_many_attempts'])
  async remove(@CurrentUser() user: UserCaller, @Body() body: SecondFactorChangeDto): Promise<void> {
    await this.factor.remove(user, body);
  }
}
