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
    summary: 'Begin a second factor',
    description:
      'Takes the current password, since a session may be stolen, and makes a secret for an authenticator (TOTP, RFC 6238). It counts once it is confirmed with a code.',
  })
  @ApiCreatedResponse({ type: SecondFactorSecretBody })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The current password is wrong.', ['password_wrong'])
  @ApiProblem(409, 'A second factor is on already.', ['second_factor_on'])
  @ApiProblem(429, 'Too many wrong passwords; see Retry-After.', ['too_many_attempts'])
  begin(@CurrentUser() user: UserCaller, @Body() body: SecondFactorStartDto): Promise<SecondFactorSecretBody> {
    return this.factor.begin(user, body.password);
  }

  @Post('confirm')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Turn the second factor on',
    description:
      'From now on signing in takes a code; other sessions of the user end. The reply carries recovery codes in case the authenticator is lost.',
  })
  @ApiOkResponse({ type: RecoveryCodesBody })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The code is wrong or was used before, or cannot be checked.', [
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(409, 'No second factor was begun, or it is on already.', ['second_factor_off', 'second_factor_on'])
  @ApiProblem(429, 'Too many wrong codes; see Retry-After.', ['too_many_attempts'])
  confirm(@CurrentUser() user: UserCaller, @Body() body: AuthenticatorCodeDto): Promise<RecoveryCodesBody> {
    return this.factor.confirm(user, body.code);
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make new recovery codes',
    description: 'The former ones end. Takes the current password and a code, since a session may be stolen.',
  })
  @ApiOkResponse({ type: RecoveryCodesBody })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The password is wrong, or the code is, was used before or cannot be checked.', [
    'password_wrong',
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(409, 'There is no second factor.', ['second_factor_off'])
  @ApiProblem(429, 'Too many wrong passwords or codes; see Retry-After.', ['too_many_attempts'])
  renew(@CurrentUser() user: UserCaller, @Body() body: SecondFactorChangeDto): Promise<RecoveryCodesBody> {
    return this.factor.renewRecoveryCodes(user, body);
  }

  @Post('remove')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Turn the second factor off',
    description: 'Takes the current password and a code, since a session may be stolen.',
  })
  @ApiNoContentResponse({ description: 'The second factor is off.' })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The password is wrong, or the code is, was used before or cannot be checked.', [
    'password_wrong',
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(409, 'There is no second factor.', ['second_factor_off'])
  @ApiProblem(429, 'Too many wrong passwords or codes; see Retry-After.', ['too_many_attempts'])
  async remove(@CurrentUser() user: UserCaller, @Body() body: SecondFactorChangeDto): Promise<void> {
    await this.factor.remove(user, body);
  }
}
