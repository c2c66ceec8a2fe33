import type { Command } from 'commander';
import { messageOf } from '../../platform/faults.js';
import { composeMail } from '../../platform/mail/mail.js';
import { listUnsentMessages } from '../../platform/mail/mail.queries.js';
import { createMailTransport } from '../../platform/mail/mail-transport.js';
import { newId } from '../../platform/ids.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { emailOption } from '../input/options.js';
import type { Answer } from '../output/answer.js';
import { UsageError } from '../input/usage-error.js';

/** Emails that are pending, were refused or have expired, with the reason. */
function listMailCommand({ database }: AdminContext): Promise<Answer> {
  return listUnsentMessages(database);
}

/** Sends an email immediately, to test the SMTP configuration. */
async function testMailCommand({ settings }: AdminContext, options: { readonly to: string }): Promise<Answer> {
  const transport = await createMailTransport(settings);
  if (transport === null) throw new UsageError('SMTP_URL is not set');
  const mail = composeMail({
    to: options.to,
    subject: 'Test of the demand forecasting service',
    paragraphs: ['Email works: this message was sent from the command line of the demand forecasting service.'],
  });
  try {
    await transport.send(mail, newId());
  } catch (error) {
    throw new UsageError(`the mail server did not accept the email: ${messageOf(error)}`);
  } finally {
    transport.close();
  }
  return { to: options.to, sent: true };
}

/** `mail`: emails. */
export function addMailCommands(program: Command, command: AddCommand): void {
  const mail = program.command('mail').description('manage emails');
  command(mail, 'list', 'list emails that are waiting, were rejected or have expired', listMailCommand);
  command<{ to: string }>(mail, 'test', 'send a test email immediately', testMailCommand).requiredOption(
    '--to <email>',
    'address to send the email to',
    emailOption,
  );
}
