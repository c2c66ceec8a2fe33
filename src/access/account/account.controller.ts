import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../../platform/http/access-declaration.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { CurrentUser, type UserCaller } from '../guard/caller.js';
import { DeleteAccountDto } from './account.dto.js';
import { AccountService } from './account.service.js';

@ApiTags('Sign-in')
@SignedIn()
@Controller('auth/me')
export class AccountController {
  constructor(private readonly account: AccountService) {}

  @Post('delete')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete your account',
    description:
      'Deletes the account immediately and permanently. Ends all sessions, memberships and open reports of the user, and revokes the open invitations that the user sent. API keys, the audit log and everything else that belongs to an organization are kept; forum posts are kept without a name. Requires the current password and, if the account has a second factor, a code, in case the session was stolen.',
  })
  @ApiNoContentResponse({ description: 'The account was deleted.' })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The password is wrong, or the code is missing, wrong, already used or cannot be verified.', [
    'password_wrong',
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(
    409,
    'An organization would be left without an owner. Organizations scheduled for deletion do not need one.',
    ['last_owner'],
  )
  @ApiProblem(429, 'Too many wrong passwords or codes; see Retry-After.', ['too_many_attempts'])
  async delete(@CurrentUser() user: UserCaller, @Body() body: DeleteAccountDto): Promise<void> {
    await this.account.delete(user, body);
  }
}
