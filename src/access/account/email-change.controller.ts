import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, SignedIn } from '../../platform/http/access-declaration.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { CallerAddress, CurrentUser, type UserCaller } from '../guard/caller.js';
import { ChangeEmailDto, ConfirmEmailDto } from './account.dto.js';
import { EmailChangeService } from './email-change.service.js';

@ApiTags('Sign-in')
@Controller('auth/email')
export class EmailChangeController {
  constructor(private readonly changes: EmailChangeService) {}

  @Post()
  @HttpCode(202)
  @SignedIn()
  @ApiOperation({
    summary: 'Request a change of email address',
    description:
      'Sends a confirmation link, valid for one hour, to the new address. The account keeps its current address until the link is used. If the new address already belongs to an account, no link is sent, but the response is the same. Requires the current password and, if the account has a second factor, a code, in case the session was stolen.',
  })
  @ApiAcceptedResponse({ description: 'A link was sent, unless the address already belongs to an account.' })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The password is wrong, or the code is missing, wrong, already used or cannot be verified.', [
    'password_wrong',
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(429, 'Too many requests, or too many wrong passwords or codes; see Retry-After.', ['too_many_attempts'])
  @ApiProblem(503, 'This installation does not send email.', ['mail_not_configured'])
  async request(@CurrentUser() user: UserCaller, @Body() body: ChangeEmailDto): Promise<void> {
    await this.changes.request(user, body);
  }

  @Post('confirm')
  @HttpCode(204)
  @Public()
  @ApiOperation({
    summary: 'Confirm a new email address',
    description:
      'Confirms a new email address with the token from the link, which works once. From then on, the user signs in with the new address. Existing sessions remain valid.',
  })
  @ApiNoContentResponse({ description: 'The account now has the new address.' })
  @ApiInvalidRequest()
  @ApiProblem(404, 'The pending change of email address does not exist.', ['not_found'])
  @ApiProblem(409, 'Another account has taken the address in the meantime.', ['email_taken'])
  async confirm(@Body() body: ConfirmEmailDto, @CallerAddress() address: string): Promise<void> {
    await this.changes.confirm(body.token, address);
  }
}
