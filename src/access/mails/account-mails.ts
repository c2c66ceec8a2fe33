import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Clock } from '../../platform/clock.js';
import type { Queryable } from '../../platform/database/database.js';
import { later } from '../../platform/durations.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import { instantInWords } from '../../platform/in-words.js';
import { composeMail, type MailContent, NOTICE_MS } from '../../platform/mail/mail.js';
import { MailOutbox } from '../../platform/mail/mail-outbox.js';
import { SETTINGS } from '../../platform/platform.module.js';

/**
 * The name with a zero-width space after each character that could be part of an address, so that mail programs do not turn it into
 * a link: the recipient of an invitation does not know the sender yet.
 */
const unlinked = (name: string): string => name.replaceAll(/[.:/@](?=\S)/g, '$&\u200b');

export interface InvitationMail {
  readonly to: string;
  readonly organization: string;
  readonly inviter: { readonly name: string; readonly email: string };
  readonly role: MemberRole;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Who changed an account: someone at this address, or an operator at the command line. */
export type AccountActor = { readonly address: string } | 'operator';

const originOf = (by: AccountActor): string =>
  by === 'operator' ? 'by an operator of this installation' : `from the IP address ${by.address}`;

/** Emails to people about their accounts, if SMTP is configured. Stored in the transaction of the event. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly outbox: MailOutbox,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  get configured(): boolean {
    return this.outbox.configured;
  }

  /**
   * Link to the page that uses the token. The token is in the fragment, which no server sees. Null if PUBLIC_URL is not set, which
   * is required when email is configured.
   */
  link(page: 'invitations' | 'password-reset' | 'email-change', token: string): string | null {
    const base = this.settings.PUBLIC_URL;
    return base === undefined ? null : `${base}/${page}#${token}`;
  }

  invitation(tx: Queryable, { to, inviter, role, token, expiresAt, ...names }: InvitationMail): Promise<void> {
    const organization = unlinked(names.organization);
    return this.post(tx, 'invitation', expiresAt, {
      to,
      subject: `Invitation to ${organization}`,
      // the address first, since a name may be any text
      paragraphs: [
        `${inviter.email} (${unlinked(inviter.name)}) has invited you to join ${organization} as ${role}, to work with its demand forecasts.`,
      ],
      link: { label: 'Accept the invitation', url: this.link('invitations', token)! },
      closing: [
        `The link works once and expires on ${instantInWords(expiresAt)}. After you accept, sign in through the API with your email address and password: POST ${this.settings.PUBLIC_URL}/auth/login. For what you can do next, see ${this.settings.PUBLIC_URL}/docs.`,
        'If you were not expecting this invitation, you can ignore this email.',
      ],
    });
  }

  invitationAccepted(
    tx: Queryable,
    accepted: { readonly to: string; readonly guest: string; readonly organization: string; readonly role: MemberRole },
  ): Promise<void> {
    const { to, guest, organization, role } = accepted;
    return this.notice(tx, 'invitation_accepted', {
      to,
      subject: `${guest} has joined ${organization}`,
      paragraphs: [`${guest} has accepted your invitation and is now a member of ${organization} as ${role}.`],
    });
  }

  passwordReset(
    tx: Queryable,
    reset: { readonly to: string; readonly token: string; readonly address: string; readonly expiresAt: Date },
  ): Promise<void> {
    const { to, token, address, expiresAt } = reset;
    return this.post(tx, 'password_reset', expiresAt, {
      to,
      subject: 'Set a new password',
      paragraphs: [`Someone requested a new password for your account from the IP address ${address}.`],
      link: { label: 'Set a new password', url: this.link('password-reset', token)! },
      closing: [
        `The link works once and expires on ${instantInWords(expiresAt)}.`,
        'If this was not you, you can ignore this email. Your password stays the same.',
      ],
    });
  }

  confirmEmail(
    tx: Queryable,
    change: { readonly to: string; readonly token: string; readonly address: string; readonly expiresAt: Date },
  ): Promise<void> {
    const { to, token, address, expiresAt } = change;
    return this.post(tx, 'confirm_email', expiresAt, {
      to,
      subject: 'Confirm your new email address',
      paragraphs: [
        `Someone signed in from the IP address ${address} and asked to change the email address of their account to this one.`,
      ],
      link: { label: 'Confirm the address', url: this.link('email-change', token)! },
      closing: [
        `The link works once and expires on ${instantInWords(expiresAt)}. After you confirm, sign in with this address.`,
        'If this was not you, you can ignore this email. Nothing changes unless the link is used.',
      ],
    });
  }

  /** Sent to the previous address, without disclosing the new one. */
  emailChanged(tx: Queryable, to: string, by: AccountActor): Promise<void> {
    return this.notice(tx, 'email_changed', {
      to,
      subject: 'The email address of your account was changed',
      paragraphs: [
        `The email address of your account was changed on ${instantInWords(this.clock.now())} ${originOf(by)}. Use the new address to sign in; this one gets no further emails.`,
      ],
      closing: ['If this was not you, contact an administrator of your organization immediately.'],
    });
  }

  accountDeleted(tx: Queryable, to: string, by: AccountActor): Promise<void> {
    return this.notice(tx, 'account_deleted', {
      to,
      subject: 'Your account was deleted',
      paragraphs: [
        `Your account was deleted on ${instantInWords(this.clock.now())} ${originOf(by)}. It cannot be restored.`,
      ],
      closing: ['If this was not you, contact an administrator of your organization immediately.'],
    });
  }

  passwordChanged(tx: Queryable, to: string, by: AccountActor): Promise<void> {
    return this.warning(tx, 'password_changed', to, 'Your password was changed', [
      `The password of your account was changed on ${instantInWords(this.clock.now())} ${originOf(by)}. All other sessions were ended.`,
    ]);
  }

  secondFactorOn(tx: Queryable, to: string, by: AccountActor): Promise<void> {
    return this.warning(tx, 'second_factor_on', to, 'A second factor was enabled', [
      `A second factor was enabled for your account on ${instantInWords(this.clock.now())} ${originOf(by)}. Signing in now also requires a code from it. All other sessions were ended.`,
    ]);
  }

  secondFactorOff(tx: Queryable, to: string, by: AccountActor): Promise<void> {
    return this.warning(tx, 'second_factor_off', to, 'Your second factor was removed', [
      `The second factor of your account was removed on ${instantInWords(this.clock.now())} ${originOf(by)}. Signing in now requires only the password.`,
    ]);
  }

  recoveryCodesRenewed(tx: Queryable, to: string, by: AccountActor): Promise<void> {
    return this.warning(tx, 'recovery_codes_renewed', to, 'Your recovery codes were regenerated', [
      `The recovery codes of your account were regenerated on ${instantInWords(this.clock.now())} ${originOf(by)}. The old codes no longer work.`,
    ]);
  }

  recoveryCodeUsed(
    tx: Queryable,
    to: string,
    { purpose, address }: { readonly purpose: `to ${string}`; readonly address: string },
  ): Promise<void> {
    return this.warning(tx, 'recovery_code_used', to, 'A recovery code was used', [
      `A recovery code was used ${purpose} on ${instantInWords(this.clock.now())} from the IP address ${address}. It cannot be used again.`,
    ]);
  }

  private warning(
    tx: Queryable,
    kind: string,
    to: string,
    subject: string,
    paragraphs: readonly string[],
  ): Promise<void> {
    const closing = [
      'If this was not you, set a new password immediately and contact an administrator of your organization.',
    ];
    return this.notice(tx, kind, { to, subject, paragraphs, closing });
  }

  private notice(tx: Queryable, kind: string, content: MailContent): Promise<void> {
    return this.post(tx, kind, later(this.clock.now(), NOTICE_MS), content);
  }

  private post(tx: Queryable, kind: string, expiresAt: Date, content: MailContent): Promise<void> {
    return this.outbox.post(tx, { kind, expiresAt, mail: composeMail(content) });
  }
}
