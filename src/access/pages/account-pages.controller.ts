import { applyDecorators, Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../../platform/http/access-declaration.js';
import { MIN_PASSWORD_LENGTH } from '../users/password-fields.js';
import { ACCOUNT_PAGE_HEADERS, type AccountPage, accountPage } from './account-page.js';

const INVITATION: AccountPage = {
  title: 'Accept the invitation',
  lead: `If your email address already has an account here, enter its password. Otherwise, choose a password of at least ${MIN_PASSWORD_LENGTH} characters that is hard to guess, such as four unrelated words.`,
  form: {
    action: 'auth/invitations/accept',
    fields: [
      { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' },
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        minLength: MIN_PASSWORD_LENGTH,
      },
    ],
    button: 'Accept',
    done: 'You are now a member. Use your account with the API of this service and the programs built on it, to read the forecasts of the organization and to make the changes that your role allows.',
    next: [
      {
        text: 'To sign in, send your email address and password as {"email": "…", "password": "…"}. The response contains a token for the Authorization: Bearer header.',
        path: 'auth/login',
        method: 'POST',
      },
      { text: 'For every route, with examples, see:', path: 'docs' },
    ],
  },
};

const PASSWORD_RESET: AccountPage = {
  title: 'Set a new password',
  lead: `Choose at least ${MIN_PASSWORD_LENGTH} characters that are hard to guess, such as four unrelated words. A second factor stays in place.`,
  form: {
    action: 'auth/password-reset/confirm',
    fields: [
      {
        name: 'new_password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        minLength: MIN_PASSWORD_LENGTH,
      },
    ],
    button: 'Set the password',
    done: 'Your password was set, and all sessions were ended. You can now sign in.',
  },
  withoutToken: {
    action: 'auth/password-reset',
    fields: [{ name: 'email', label: 'Email address of your account', type: 'email', autocomplete: 'username' }],
    button: 'Send me a link',
    done: 'If the address has an account, we have sent it a link that is valid for one hour.',
  },
};

const EMAIL_CHANGE: AccountPage = {
  title: 'Confirm your new email address',
  lead: 'After you confirm, your account has the email address that this link was sent to.',
  form: {
    action: 'auth/email/confirm',
    fields: [],
    button: 'Confirm the address',
    done: 'Your new email address is confirmed. Use it to sign in from now on.',
  },
};

const Page = (summary: string, description: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary, description }),
    ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } } }),
  );

/** The pages that links in emails lead to. The token is in the fragment, which no server, log or proxy sees. */
@ApiTags('Sign-in')
@Public()
@Controller()
export class AccountPagesController {
  @Get('invitations')
  @Page('Open the page for accepting an invitation', 'A page for people, opened by the link in an invitation.')
  async invitation(@Res() reply: FastifyReply): Promise<void> {
    await send(reply, INVITATION);
  }

  @Get('password-reset')
  @Page(
    'Open the page for setting a new password',
    'A page for people, opened by the link in a password reset email. Without a token, it lets them request such a link.',
  )
  async passwordReset(@Res() reply: FastifyReply): Promise<void> {
    await send(reply, PASSWORD_RESET);
  }

  @Get('email-change')
  @Page(
    'Open the page for confirming an address',
    'A page for people, opened by the link that is sent to a new email address.',
  )
  async emailChange(@Res() reply: FastifyReply): Promise<void> {
    await send(reply, EMAIL_CHANGE);
  }
}

async function send(reply: FastifyReply, page: AccountPage): Promise<void> {
  await reply.headers(ACCOUNT_PAGE_HEADERS).type('text/html; charset=utf-8').send(accountPage(page));
}
