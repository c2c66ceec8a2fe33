import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../../platform/clock.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { MINUTE_MS } from '../../../platform/durations.js';
import { instantInWords } from '../../../platform/in-words.js';
import { Rounds } from '../../../platform/work/rounds.js';
import { OrganizationMails } from '../../mails/organization-mails.js';
import { type ExpiringKey, takeExpiringKeys } from './expiring-keys.queries.js';

const INTERVAL_MS = 10 * MINUTE_MS;
const BATCH = 500;

/**
 * Emails the admins of an organization some days before an API key expires, once per key: otherwise whatever uses it would stop
 * working without warning. Nothing depends on when a round runs, or in which process.
 */
@Injectable()
export class ExpiryNotices {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: OrganizationMails,
    private readonly rounds: Rounds,
  ) {}

  @Interval(INTERVAL_MS)
  async round(): Promise<void> {
    if (!this.mails.configured) return; // keys stay due until it is
    await this.rounds.make('notices of API keys', () => this.notifyBatch());
  }

  /** Gives notice of keys that are due, with one email per organization. @returns whether there may be more */
  private notifyBatch(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const keys = await takeExpiringKeys(tx, this.clock.now(), BATCH);
      for (const [organizationId, own] of Map.groupBy(keys, ({ organizationId }) => organizationId)) {
        await this.notify(tx, organizationId, own);
      }
      return keys.length === BATCH;
    });
  }

  /** @param keys the first to expire first */
  private notify(tx: Transaction, organizationId: string, keys: readonly ExpiringKey[]): Promise<void> {
    const one = keys.length === 1;
    return this.mails.notify(tx, organizationId, {
      kind: 'api_keys_expiring',
      role: 'admin',
      usefulUntil: keys.at(-1)!.expiresAt,
      compose: (organization) => ({
        subject: one ? `An API key of ${organization} expires soon` : `API keys of ${organization} expire soon`,
        paragraphs: [
          ...keys.map(
            ({ name, prefix, lastFour, expiresAt }) =>
              `The key ${name} (${prefix}…${lastFour}) expires on ${instantInWords(expiresAt)}.`,
          ),
          `After that, requests with ${one ? 'this key' : 'these keys'} are rejected. If ${one ? 'it is' : 'they are'} in use, rotate ${one ? 'it' : 'them'} in time: POST /orgs/${organizationId}/api-keys/{key_id}/rotate issues a successor and keeps the old key working for up to 7 days, but not past its expiry.`,
        ],
      }),
    });
  }
}
