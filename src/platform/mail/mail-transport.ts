import { domainToASCII } from 'node:url';
import type { Settings } from '../../../config/settings.js';
import { messageOf } from '../faults.js';
import type { Mail } from './mail.js';

/** Milliseconds that the mail server has for each step. */
const STEP_DEADLINE_MS = 15_000;

/** A permanent rejection: the server does not know the recipient or does not accept such an email. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** Delivers emails. */
export interface MailTransport {
  /**
   * @param messageId stable across attempts, so that an email that arrives twice can be recognized as a duplicate
   * @throws {MailRefused} if retrying is pointless; any other error may be transient. No message names the recipient
   */
  send(mail: Mail, messageId: string): Promise<void>;
  /** Starts no further email and drops those waiting for a connection. @param force also aborts those being sent */
  close(options?: { readonly force: boolean }): void;
}

/** SMTP transport based on nodemailer, which is loaded only then; null while SMTP_URL is not set. */
export async function createMailTransport({ SMTP_URL, SMTP_FROM }: Settings): Promise<MailTransport | null> {
  if (SMTP_URL === undefined || SMTP_FROM === undefined) return null;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: SMTP_URL,
    pool: true,
    maxConnections: 1,
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
          headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: suppresses out-of-office replies
        })
        .catch((error: unknown) => {
          const reason = withoutRecipient(messageOf(error), mail.to);
          throw isFinal(error) ? new MailRefused(reason) : new Error(reason);
        });
    },
    close: (options) => transport.close(options),
  };
}

/** Removes the address from the text: most servers quote the recipient they reject, some with the domain in its ASCII form. */
function withoutRecipient(text: string, address: string): string {
  const domain = address.lastIndexOf('@') + 1;
  const onTheWire = address.slice(0, domain) + domainToASCII(address.slice(domain));
  return text.replaceAll(address, '(recipient)').replaceAll(onTheWire, '(recipient)');
}

function isFinal(error: unknown): boolean {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  // the operator can fix a rejected login (EAUTH) or sender (MAIL FROM): such emails wait
  const ofThisMail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  return ofThisMail && responseCode !== undefined && responseCode >= 500;
}
