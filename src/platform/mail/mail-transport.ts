import { domainToASCII } from 'node:url';
import { createTransport } from 'nodemailer';
import type { Settings } from '../../../config/settings.js';
import { messageOf } from '../faults.js';
import type { Mail } from './mail.js';

/** Milliseconds a mail server has for each step. */
const STEP_DEADLINE_MS = 15_000;

/** A refusal for good: the server knows no such recipient, or does not accept such a mail. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** Where mails go. */
export interface MailTransport {
  /**
   * @param messageId stable over repeated attempts, so that a mail that arrives twice can be told to be one
   * @throws {MailRefused} where trying again is useless; any other error may pass. No message names the recipient
   */
  send(mail: Mail, messageId: string): Promise<void>;
  /** Begins no further mail and gives up those that wait for a connection. @param force gives up those on their way, too */
  close(options?: { readonly force: boolean }): void;
}

/** SMTP by nodemailer; null while SMTP_URL is not set. */
export function createMailTransport({ SMTP_URL, SMTP_FROM }: Settings): MailTransport | null {
  if (SMTP_URL === undefined || SMTP_FROM === undefined) return null;
  const transport = createTransport({
    url: SMTP_URL,
    pool: true,
    maxConnections: 2,
    connectionTimeout: STEP_DEADLINE_MS,
    greetingTimeout: STEP_DEADLINE_MS,
    socketTimeout: STEP_DEADLINE_MS,
  });
  const domain = /@([^\s<>@]+)>?\s*$/.exec(SMTP_FROM)?.[1] ?? 'localhost';
  return {
    send: async (mail, messageId) => {
      await transport
        .sendMail({
          ...mail,
          from: SMTP_FROM,
          messageId: `<${messageId}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: no answers from absence notices
        })
        .catch((error: unknown) => {
          const reason = withoutRecipient(messageOf(error), mail.to);
          throw isFinal(error) ? new MailRefused(reason) : new Error(reason);
        });
    },
    close: (options) => transport.close(options),
  };
}

/** Removes the address from the text: most servers quote whom they refuse, some with the domain in its ASCII form. */
function withoutRecipient(text: string, address: string): string {
  const domain = address.lastIndexOf('@') + 1;
  const onTheWire = address.slice(0, domain) + domainToASCII(address.slice(domain));
  return text.replaceAll(address, '(recipient)').replaceAll(onTheWire, '(recipient)');
}

function isFinal(error: unknown): boolean {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  // the operator can mend a refused sign-in (EAUTH) or sender (MAIL FROM): such mails wait
  const ofThisMail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  return ofThisMail && responseCode !== undefined && responseCode >= 500;
}
