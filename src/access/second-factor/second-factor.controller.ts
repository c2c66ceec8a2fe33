import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { SignedIn } from '../../platform/http/access-declaration.js';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { CurrentUser, type UserCaller } from '../guard/caller.js';
import { SecondFactorService } from './second-factor.service.js';

export class SecondFactorCodeDto {
  @ApiProperty({ example: '287082', pattern: '^\\d{6}$' })
  @Matches(/^\d{6}$/, { message: 'must be the 6 digits that the authenticator shows' })
  code!: string;
}

export class SecondFactorSecretBody {
  @ApiProperty({
    description: 'For typing into an authenticator; shown here only.',
    example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  })
  secret!: string;

  @ApiProperty({ description: 'The same for a QR code.', example: 'otpauth://totp/…' })
  otpauth_url!: string;
}

@ApiTags('Sign-in')
@SignedIn()
@Controller('auth/second-factor')
export class SecondFactorController {
  constructor(private readonly factor: SecondFactorService) {}

  @Post()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Begin a second factor',
    description: 'Makes a secret for an authenticator (TOTP, RFC 6238). It counts once it is confirmed with a code.',
  })
  @ApiCreatedResponse({ type: SecondFactorSecretBody })
  @ApiProblem(409, 'A second factor is on already.', ['second_factor_on'])
  begin(@CurrentUser() user: UserCaller): Promise<SecondFactorSecretBody> {
    return this.factor.begin(user);
  }

  @Post('confirm')
  @HttpCode(204)
  @ApiOperation({ summary: 'Turn the second factor on', description: 'From now on signing in takes a code.' })
  @ApiNoContentResponse({ description: 'The second factor is on.' })
  @ApiProblem(400, 'The request is wrong in the named parameters.', ['invalid_request'])
  @ApiProblem(403, 'The code is wrong, or was used before.', ['code_wrong'])
  @ApiProblem(409, 'No second factor was begun.', ['second_factor_off'])
  async confirm(@CurrentUser() user: UserCaller, @Body() body: SecondFactorCodeDto): Promise<void> {
    await this.factor.confirm(user, body.code);
  }

  @Post('remove')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Turn the second factor off',
    description: 'Takes a code too, so that a stolen session cannot.',
  })
  @ApiNoContentResponse({ description: 'The second factor is off.' })
  @ApiProblem(400, 'The request is wrong in the named parameters.', ['invalid_request'])
  @ApiProblem(403, 'The code is wrong, or was used before.', ['code_wrong'])
  @ApiProblem(409, 'There is no second factor.', ['second_factor_off'])
  async remove(@CurrentUser() user: UserCaller, @Body() body: SecondFactorCodeDto): Promise<void> {
    await this.factor.remove(user, body.code);
  }
}
