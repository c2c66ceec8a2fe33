import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import type { Queryable } from '../../platform/database/database.js';
import { later } from '../../platform/durations.js';
import { MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import { composeMail, type MailContent, NOTICE_MS } from '../../platform/mail/mail.js';
import { MailOutbox } from '../../platform/mail/mail-outbox.js';
import { listRecipients } from '../organizations/members/memberships.queries.js';

export interface OrganizationNotice {
  /** What it is about, for operators. */
  readonly kind: string;
  /** The lowest role that receives the email. */
  readonly role: MemberRole;
  /** When it is too late to send it. By default, after some days: its news is stale then. */
  readonly usefulUntil?: Date;
  /** @param organization its name */
  readonly compose: (organization: string) => Omit<MailContent, 'to'>;
}

/** Emails to those responsible for an organization, if SMTP is configured. */
@Injectable()
export class OrganizationMails {
  constructor(
    private readonly outbox: MailOutbox,
    private readonly clock: Clock,
  ) {}

  /** Whether emails can be sent at all; if not, {@link notify} does nothing. */
  get configured(): boolean {
    return this.outbox.configured;
  }

  /** Stores an email to each of them, in the transaction of the event that it reports. */
  async notify(
    tx: Queryable,
    organizationId: string,
    { kind, role, usefulUntil, compose }: OrganizationNotice,
  ): Promise<void> {
    if (!this.configured) return;
    const roles = MEMBER_ROLES.slice(MEMBER_ROLES.indexOf(role));
    const expiresAt = usefulUntil ?? later(this.clock.now(), NOTICE_MS);
    for (const { email, organization } of await listRecipients(tx, organizationId, roles)) {
      await this.outbox.post(tx, { kind, expiresAt, mail: composeMail({ ...compose(organization), to: email }) });
    }
  }
}
