import { Inject, Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../clock.js';
import { seal, unseal } from '../crypto/sealed-box.js';
import type { Secrets } from '../crypto/secrets.js';
import { Database, type Queryable } from '../database/database.js';
import { MINUTE_MS } from '../durations.js';
import { messageOf } from '../faults.js';
import { newId } from '../ids.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { Metrics } from '../metrics/metrics.js';
import { SECRETS } from '../platform.module.js';
import { Rounds } from '../work/rounds.js';
import type { Mail } from './mail.js';
import {
  deleteOldMessages,
  type DueMessage,
  endMessage,
  expireMessages,
  insertMessage,
  noteMailFailure,
  takeDueMessages,
} from './mail.queries.js';
import { MailRefused, type MailTransport } from './mail-transport.js';

/** Injection token of the {@link MailTransport}; null if none is configured. */
export const MAIL_TRANSPORT = Symbol('mail transport');

const INTERVAL_MS = 1_000;
/**
 * Small enough that a batch is finished before its messages are due again, after 150 s, even if the server takes as long as it may with
 * each of them to connect, to greet and to answer.
 */
const BATCH = 3;
/** Milliseconds that shutdown waits for emails being sent. Those cut off are sent again, after a restart or by another process. */
const PATIENCE_MS = 5_000;
/** Milliseconds between two deletions of old records. */
const CLEANING_MS = 10 * MINUTE_MS;

export interface OutgoingMail {
  /** What it is about, for operators. */
  readonly kind: string;
  readonly mail: Mail;
  /** When to give up: by then its link has expired, or its news is stale. */
  readonly expiresAt: Date;
}

/**
 * Sends emails. An email is stored in the transaction of the event that it reports and sent afterwards, retried until the mail
 * server accepts it: a mail server that is down fails no request and loses no email. Every process runs an outbox, which sends its
 * emails in the order in which they were stored.
 */
@Injectable()
export class MailOutbox implements OnModuleDestroy, OnApplicationShutdown {
  private readonly attempts;
  private patience: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(MAIL_TRANSPORT) private readonly transport: MailTransport | null,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly rounds: Rounds,
    metrics: Metrics,
  ) {
    this.attempts = metrics.counter(
      'mails_total',
      'Attempts to send an email. An email that is not accepted is sent again.',
      {
        outcome: ['sent', 'refused', 'not_taken', 'expired'],
      },
    );
  }

  /** Whether emails can be sent at all; if not, {@link post} does nothing. */
  get configured(): boolean {
    return this.transport !== null;
  }

  /** Stores an email to be sent, in the transaction of the event that it reports. */
  async post(tx: Queryable, { kind, mail, expiresAt }: OutgoingMail): Promise<void> {
    if (this.transport === null) return;
    const id = newId();
    const sealed = seal(Buffer.from(JSON.stringify(mail)), this.secrets.encryptionKey, id);
    await insertMessage(tx, { id, kind, sealed, createdAt: this.clock.now(), expiresAt });
  }

  /** Bounds the time of the emails being sent, which shutdown waits for. */
  onModuleDestroy(): void {
    this.transport?.close();
    this.patience = setTimeout(() => this.transport?.close({ force: true }), PATIENCE_MS);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.patience);
  }

  @Interval(INTERVAL_MS)
  async round(): Promise<void> {
    const { transport } = this;
    if (transport) await this.rounds.make('e-mail', () => this.sendDue(transport));
  }

  @Interval(CLEANING_MS)
  removeOld(): Promise<void> {
    return this.rounds.make('old emails', () => deleteOldMessages(this.database, this.clock.now()));
  }

  private async sendDue(transport: MailTransport): Promise<void> {
    this.attempts.inc({ outcome: 'expired' }, await expireMessages(this.database, this.clock.now()));
    // one after the other: of two about the same matter, the later one must not arrive first
    for (const message of await takeDueMessages(this.database, BATCH)) await this.send(transport, message);
  }

  private async send(transport: MailTransport, { id, kind, sealed }: DueMessage): Promise<void> {
    try {
      const mail = JSON.parse(unseal(sealed, this.secrets.encryptionKey, id).toString()) as Mail;
      await transport.send(mail, id);
    } catch (error) {
      const reason = messageOf(error).slice(0, 300);
      const refused = error instanceof MailRefused;
      this.attempts.inc({ outcome: refused ? 'refused' : 'not_taken' });
      this.logger.warn(
        { mail_id: id, kind, reason },
        refused ? 'an email was permanently rejected' : 'an email was not accepted; it will be sent again',
      );
      if (refused) await endMessage(this.database, id, 'refused', reason);
      else await noteMailFailure(this.database, id, reason);
      return;
    }
    this.attempts.inc({ outcome: 'sent' });
    await endMessage(this.database, id, 'sent', null);
  }
}
