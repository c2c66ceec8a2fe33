import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/http/access-declaration.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { CallerAddress } from '../guard/caller.js';
import { ConfirmPasswordResetDto, RequestPasswordResetDto } from './password-reset.dto.js';
import { PasswordResetService } from './password-reset.service.js';

@ApiTags('Sign-in')
@Public()
@Controller('auth/password-reset')
export class PasswordResetController {
  constructor(private readonly resets: PasswordResetService) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Ask for a new password',
    description:
      'Sends a link, valid for an hour, where the address has an account; the reply is the same where it has none.',
  })
  @ApiAcceptedResponse({ description: 'Where the address has an account, a link is on its way to it.' })
  @ApiInvalidRequest()
  @ApiProblem(429, 'Asked too often; see Retry-After.', ['too_many_attempts'])
  @ApiProblem(503, 'This installation sends no e-mail.', ['mail_not_configured'])
  async request(@Body() body: RequestPasswordResetDto, @CallerAddress() address: string): Promise<void> {
    await this.resets.request(body.email, address);
  }

  @Post('confirm')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Set a new password by a link',
    description: 'Takes the token of the link, once, and ends all sessions of the user. A second factor stays.',
  })
  @ApiNoContentResponse({ description: 'The password is set.' })
  @ApiInvalidRequest()
  @ApiProblem(404, 'There is no such open password reset.', ['not_found'])
  async confirm(@Body() body: ConfirmPasswordResetDto, @CallerAddress() address: string): Promise<void> {
    await this.resets.confirm(body.token, body.new_password, address);
  }
}
