import { domainToASCII } from 'node:url';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../processes/free-port.js';
import { eventually } from '../eventually.js';

export interface ReceivedMail {
  readonly to: readonly string[];
  /** Headers and body as received. */
  readonly raw: string;
  /** The same with lines unfolded and bytes decoded. */
  readonly content: string;
}

export const SMTP_PASSWORD = 'smtp-canary-password';

/** A local mail server that requires a password and can be made to misbehave. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** How it rejects the next messages; undefined accepts them. */
  refusal: { readonly code: number; readonly at: 'sender' | 'recipient' | 'data' } | undefined;
  /** Milliseconds that it takes to accept the next message; those after it are accepted at once. */
  delayOfNextMs = 0;
  private server: SMTPServer | undefined;
  private port = 0;

  get url(): string {
    return `smtp://forecasts:${SMTP_PASSWORD}@127.0.0.1:${this.port}`;
  }

  /** Listens; after {@link stop}, on the same port as before. */
  async start(): Promise<void> {
    // with the address unchanged, as most servers do
    const onTheWire = (address: string): string => address.replace(/[^@]+$/, domainToASCII);
    const fault = (code: number, address: string): Error =>
      Object.assign(new Error(`<${onTheWire(address)}>: refused by the test`), { responseCode: code });
    this.server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      closeTimeout: 200, // for idle connections
      onAuth: ({ username, password }, _session, done) =>
        username === 'forecasts' && password === SMTP_PASSWORD
          ? done(null, { user: username })
          : done(new Error('no such account')),
      onMailFrom: ({ address }, _session, done) =>
        done(this.refusal?.at === 'sender' ? fault(this.refusal.code, address) : null),
      onRcptTo: ({ address }, _session, done) =>
        done(this.refusal?.at === 'recipient' ? fault(this.refusal.code, address) : null),
      onData: (stream, session, done) => {
        let raw = '';
        stream.on('data', (chunk: Buffer) => (raw += chunk.toString()));
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address);
          if (this.refusal?.at === 'data') return done(fault(this.refusal.code, to.join()));
          setTimeout(() => {
            this.received.push({ to, raw, content: decoded(raw) });
            done();
          }, this.delayOfNextMs);
          this.delayOfNextMs = 0;
        });
      },
    });
    this.port ||= await freePort();
    await new Promise<void>((resolve) => this.server!.listen(this.port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server?.close(resolve));
  }

  /** The first message to the address that contains the text, once it has arrived. */
  mailTo(address: string, text: string): Promise<ReceivedMail> {
    return eventually(`a mail to ${address} that says "${text}"`, () =>
      Promise.resolve(this.received.find((mail) => mail.to.includes(address) && mail.content.includes(text))),
    );
  }
}

/** Decodes quoted-printable (RFC 2045 section 6.7), in which bodies with long lines are sent. */
function decoded(raw: string): string {
  const bytes = raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
