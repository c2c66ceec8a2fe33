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
    summary: 'Change the address',
    description:
      'Sends a link, valid for an hour, to the new address; the account keeps the present one until the link is used. An address that has an account gets none; the reply is the same. Takes the current password and, where there is a second factor, a code, since a session may be stolen.',
  })
  @ApiAcceptedResponse({ description: 'A link is on its way, unless the address has an account.' })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The password is wrong, or the code is missing or wrong, was used before or cannot be checked.', [
    'password_wrong',
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(429, 'Asked too often, or too many wrong passwords or codes; see Retry-After.', ['too_many_attempts'])
  @ApiProblem(503, 'This installation sends no e-mail.', ['mail_not_configured'])
  async request(@CurrentUser() user: UserCaller, @Body() body: ChangeEmailDto): Promise<void> {
    await this.changes.request(user, body);
  }

  @Post('confirm')
  @HttpCode(204)
  @Public()
  @ApiOperation({
    summary: 'Confirm the new address by a link',
    description: 'Takes the token of the link, once. From then on signing in takes the new address; sessions go on.',
  })
  @ApiNoContentResponse({ description: 'The account has the new address.' })
  @ApiInvalidRequest()
  @ApiProblem(404, 'There is no such open change of an address.', ['not_found'])
  @ApiProblem(409, 'Another account has taken the address meanwhile.', ['email_taken'])
  async confirm(@Body() body: ConfirmEmailDto, @CallerAddress() address: string): Promise<void> {
    await this.changes.confirm(body.token, address);
  }
}
