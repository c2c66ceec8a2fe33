import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, SignedIn } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { LongPageQueryDto } from '../../platform/http/page-query.js';
import { mapPage, type Page } from '../../platform/http/pagination.js';
import { RenameDto } from '../account/account.dto.js';
import { AccountService } from '../account/account.service.js';
import { CallerAddress, CurrentUser, type UserCaller } from '../guard/caller.js';
import { ChangePasswordDto, LoginDto, LoginReply, MeBody, SessionBody } from './sessions.dto.js';
import { SessionsService } from './sessions.service.js';
import { type SignedIn as SignedInReply, SignInService } from './sign-in.service.js';

@ApiTags('Sign-in')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly account: AccountService,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Public()
  @ApiOperation({
    summary: 'Sign in',
    description:
      'Creates a session. After a few failed attempts from one address, each further failure doubles the wait.',
  })
  @ApiOkResponse({ type: LoginReply })
  @ApiInvalidRequest()
  @ApiProblem(401, 'The email address, password or code is wrong, or a code is required.', [
    'credentials_invalid',
    'second_factor_required',
  ])
  @ApiProblem(403, 'The second factor can no longer be verified.', ['second_factor_unreadable'])
  @ApiProblem(429, 'Too many failed attempts; see Retry-After.', ['too_many_attempts'])
  login(
    @Body() body: LoginDto,
    @CallerAddress() address: string,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<SignedInReply> {
    return this.signIn.signIn({ ...body, address, userAgent: userAgent ?? null });
  }

  @Post('logout')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({ summary: 'Sign out', description: 'Ends the current session.' })
  @ApiNoContentResponse({ description: 'The session was ended.' })
  async logout(@CurrentUser() user: UserCaller): Promise<void> {
    await this.sessions.endOwn(user);
  }

  @Get('me')
  @SignedIn()
  @ApiOperation({
    summary: 'Get the signed-in user',
    description:
      'Returns the signed-in user, the organizations they belong to and the workspaces of those organizations.',
  })
  @ApiOkResponse({ type: MeBody })
  async me(@CurrentUser() user: UserCaller): Promise<MeBody> {
    const organizations = await this.account.memberships(user);
    const { userId: id, email, name, isOperator: is_operator, secondFactor: second_factor } = user;
    return { id, email, name, is_operator, second_factor, organizations };
  }

  @Patch('me')
  @SignedIn()
  @ApiOperation({
    summary: 'Change your name',
    description: 'Changes the name that others see, including in the forum, where it also applies to past posts.',
  })
  @ApiOkResponse({ type: MeBody })
  @ApiInvalidRequest()
  async rename(@CurrentUser() user: UserCaller, @Body() { name }: RenameDto): Promise<MeBody> {
    await this.account.rename(user, name);
    return this.me({ ...user, name });
  }

  @Get('sessions')
  @SignedIn()
  @ApiOperation({
    summary: 'List your sessions',
    description: 'Returns the sessions in which the user is signed in, newest first.',
  })
  @Paged({ type: [SessionBody] })
  @ApiInvalidQuery()
  async list(@CurrentUser() user: UserCaller, @Query() query: LongPageQueryDto): Promise<Page<SessionBody>> {
    return mapPage(await this.sessions.list(user, query), (session) => ({
      ...session,
      current: session.id === user.sessionId,
    }));
  }

  @Delete('sessions')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({
    summary: 'Sign out everywhere',
    description: 'Ends all sessions of the user, including the current one.',
  })
  @ApiNoContentResponse({ description: 'The sessions were ended.' })
  async endAll(@CurrentUser() user: UserCaller): Promise<void> {
    await this.sessions.endAll(user);
  }

  @Delete('sessions/:session_id')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({ summary: 'End a session', description: 'Ends one of your sessions.' })
  @ApiNoContentResponse({ description: 'The session was ended.' })
  @ApiProblem(404, 'The session does not exist.', ['not_found'])
  async end(@CurrentUser() user: UserCaller, @Param('session_id') sessionId: string): Promise<void> {
    await this.sessions.end(user, sessionId);
  }

  @Post('password')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({
    summary: 'Change your password',
    description:
      'Sets a new password and ends all other sessions of the user. Requires the current password and, if the account has a second factor, a code, in case the session was stolen.',
  })
  @ApiNoContentResponse({ description: 'The password was changed.' })
  @ApiInvalidRequest()
  @ApiProblem(403, 'The password is wrong, or the code is missing, wrong, already used or cannot be verified.', [
    'password_wrong',
    'code_wrong',
    'second_factor_unreadable',
  ])
  @ApiProblem(429, 'Too many wrong passwords or codes; see Retry-After.', ['too_many_attempts'])
  async changePassword(@CurrentUser() user: UserCaller, @Body() body: ChangePasswordDto): Promise<void> {
    await this.account.changePassword(user, { ...body, password: body.current_password }, body.new_password);
  }
}
