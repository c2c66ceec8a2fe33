import { Global, Module } from '@nestjs/common';
import { Backlogs } from '../metrics/backlogs.js';
import { SETTINGS } from '../platform.module.js';
import { MAIL_TRANSPORT, MailOutbox } from './mail-outbox.js';
import { countPendingMessages } from './mail.queries.js';
import { createMailTransport } from './mail-transport.js';

/** Emails, if SMTP is configured. */
@Global()
@Module({
  providers: [{ provide: MAIL_TRANSPORT, inject: [SETTINGS], useFactory: createMailTransport }, MailOutbox],
  exports: [MailOutbox],
})
export class MailModule {
  constructor(backlogs: Backlogs) {
    backlogs.watch('mails', ['pending'], countPendingMessages);
  }
}
