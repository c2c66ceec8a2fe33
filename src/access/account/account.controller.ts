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
    summary: 'Delete the own account',
    description:
      'At once and for good: sessions, memberships and open reports end, and open invitations that the user sent are withdrawn. API keys and whatever else belongs to an organization stay, as does its audit log; texts in the forum stay without a name. Takes the current password and, where there is a second factor, a code, since a session may be stolen.',
  })
  @ApiNoContentResponse({ description: 'The account is gone.' })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The password is wrong, or the code is missing or wrong, was used before or cannot be checked.', [
    'password_wrong',
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(409, 'An organization would have no owner; one whose deletion was asked for needs none.', ['last_owner'])
  @ApiProblem(429, 'Too many wrong passwords or codes; see Retry-After.', ['too_many_attempts'])
  async delete(@CurrentUser() user: UserCaller, @Body() body: DeleteAccountDto): Promise<void> {
    await this.account.delete(user, body);
  }
}
