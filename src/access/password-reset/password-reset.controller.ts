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
    summary: 'Request a password reset',
    description:
      'Sends a password reset link, valid for one hour, if the address has an account. The response is the same if it has none.',
  })
  @ApiAcceptedResponse({ description: 'If the address has an account, a link was sent to it.' })
  @ApiInvalidRequest()
  @ApiProblem(429, 'Too many requests; see Retry-After.', ['too_many_attempts'])
  @ApiProblem(503, 'This installation does not send email.', ['mail_not_configured'])
  async request(@Body() body: RequestPasswordResetDto, @CallerAddress() address: string): Promise<void> {
    await this.resets.request(body.email, address);
  }

  @Post('confirm')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Set a new password',
    description:
      'Sets a new password with the token from the link, which works once. Ends all sessions of the user. A second factor stays in place.',
  })
  @ApiNoContentResponse({ description: 'The password was set.' })
  @ApiInvalidRequest()
  @ApiProblem(404, 'The pending password reset does not exist.', ['not_found'])
  async confirm(@Body() body: ConfirmPasswordResetDto, @CallerAddress() address: string): Promise<void> {
    await this.resets.confirm(body.token, body.new_password, address);
  }
}
