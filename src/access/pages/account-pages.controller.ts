import { applyDecorators, Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../../platform/http/access-declaration.js';
import { SHORTEST_PASSWORD } from '../users/password-fields.js';
import { ACCOUNT_PAGE_HEADERS, type AccountPage, accountPage } from './account-page.js';

const INVITATION: AccountPage = {
  title: 'Accept the invitation',
  lead: `If your address has an account here already, give its password; else choose one of at least ${SHORTEST_PASSWORD} characters that is hard to guess, such as four words that have nothing to do with each other.`,
  form: {
    action: 'auth/invitations/accept',
    fields: [
      { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' },
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        minLength: SHORTEST_PASSWORD,
      },
    ],
    button: 'Accept',
    done: 'You are a member now. Your account is for the API of this service and for the programs that use it: it reads the forecasts of the organization, and changes what your role allows.',
    next: [
      {
        text: 'To sign in, send your address and this password as {"email": "…", "password": "…"}; the reply has a token for the header Authorization: Bearer.',
        path: 'auth/login',
        method: 'POST',
      },
      { text: 'What you can do then, every route with examples:', path: 'docs' },
    ],
  },
};

const PASSWORD_RESET: AccountPage = {
  title: 'Set a new password',
  lead: `It takes at least ${SHORTEST_PASSWORD} characters and must be hard to guess, such as four words that have nothing to do with each other. A second factor stays as it is.`,
  form: {
    action: 'auth/password-reset/confirm',
    fields: [
      {
        name: 'new_password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        minLength: SHORTEST_PASSWORD,
      },
    ],
    button: 'Set the password',
    done: 'The password is set; all sessions have ended. You can sign in with it now.',
  },
  withoutToken: {
    action: 'auth/password-reset',
    fields: [{ name: 'email', label: 'E-mail address of your account', type: 'email', autocomplete: 'username' }],
    button: 'Send me a link',
    done: 'If the address has an account, a link is on its way to it. It works for an hour.',
  },
};

const EMAIL_CHANGE: AccountPage = {
  title: 'Confirm your new address',
  lead: 'Your account then has the address that this link was sent to.',
  form: {
    action: 'auth/email/confirm',
    fields: [],
    button: 'Confirm the address',
    done: 'The address is confirmed. You sign in with it from now on.',
  },
};

const Page = (summary: string, description: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary, description }),
    ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } } }),
  );

/** The pages that links in e-mails lead to. The token is in the fragment, which no server, log or proxy sees. */
@ApiTags('Sign-in')
@Public()
@Controller()
export class AccountPagesController {
  @Get('invitations')
  @Page('Page to accept an invitation', 'For people; what the link of an invitation opens.')
  async invitation(@Res() reply: FastifyReply): Promise<void> {
    await send(reply, INVITATION);
  }

  @Get('password-reset')
  @Page('Page to set a new password', 'For people; what the link for a new password opens, or asks for such a link.')
  async passwordReset(@Res() reply: FastifyReply): Promise<void> {
    await send(reply, PASSWORD_RESET);
  }

  @Get('email-change')
  @Page('Page to confirm a new address', 'For people; what the link that is sent to a new address opens.')
  async emailChange(@Res() reply: FastifyReply): Promise<void> {
    await send(reply, EMAIL_CHANGE);
  }
}

async function send(reply: FastifyReply, page: AccountPage): Promise<void> {
  await reply.headers(ACCOUNT_PAGE_HEADERS).type('text/html; charset=utf-8').send(accountPage(page));
}
