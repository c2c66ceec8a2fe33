import { Injectable } from '@nestjs/common';
import { PLANS } from '../../config/plans.js';
import { OrganizationMails, type OrganizationNotice } from '../access/index.js';
import type { Transaction } from '../platform/database/database.js';
import { dayInWords } from '../platform/in-words.js';
import { monthOf } from '../platform/utc-calendar.js';
import type { Billed, RunCharge } from './quota.js';
import type { UsageBody } from './usage.dto.js';
import { takeLimitNotice, takeNotice } from './usage.queries.js';

/** What a notice may need to say, queried only if there is one. */
export interface QuotaFacts {
  usage(): Promise<UsageBody>;
  /** Whether runs beyond the quota can be metered, regardless of the organization's limit on them. */
  isMetered(): Promise<boolean>;
}

/**
 * Emails the owners of an organization once per month and quota that the quota is used up and that further runs are billed, and
 * once per month and limit that the last run allowed by the limit is used.
 */
@Injectable()
export class QuotaNotices {
  constructor(private readonly mails: OrganizationMails) {}

  /** Runs in the transaction that has counted the run as `billed`. */
  async afterRun(tx: Transaction, charge: RunCharge, billed: Billed, facts: QuotaFacts): Promise<void> {
    if (!this.mails.configured) return;
    const { organizationId, plan, now } = charge;
    const month = monthOf(now);
    const first = { about: billed, quota: PLANS[plan].monthly_runs };
    const isFirst = await takeNotice(tx, organizationId, month, first);
    const isLast = billed === 'overage' && (await takeLimitNotice(tx, organizationId, month));
    if (!isFirst && !isLast) return;
    const usage = await facts.usage();
    const notices: OrganizationNotice[] = [];
    if (isFirst) notices.push(billed === 'quota' ? quotaUsedUp(usage, await facts.isMetered()) : overageStarted(usage));
    if (isLast) notices.push(overageUsedUp(usage));
    for (const notice of notices) await this.mails.notify(tx, organizationId, notice);
  }
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const monthIn = ({ month }: UsageBody): string => MONTH.format(new Date(month));
const endIn = ({ resets_at }: UsageBody): string => `${dayInWords(new Date(resets_at))} (UTC)`;
const atMost = ({ overage_limit }: UsageBody): string =>
  overage_limit === null ? '' : `, up to a maximum of ${overage_limit} (overage_limit of the organization)`;

const quotaUsedUp = (usage: UsageBody, isMetered: boolean): OrganizationNotice => {
  const { plan, quota, overage_enabled, overage_limit } = usage;
  // if runs are not metered, a higher limit on them would change nothing
  const limit = isMetered
    ? `the limit of billed runs (overage_limit of the organization, currently ${overage_limit}) or `
    : '';
  const next = overage_enabled
    ? `Further runs before ${endIn(usage)} are billed${atMost(usage)}.`
    : `Further runs are rejected until ${endIn(usage)}, unless you raise ${limit}the plan.`;
  return {
    kind: 'quota_used_up',
    role: 'owner',
    compose: (organization) => ({
      subject: `${organization} has used all of its monthly runs`,
      paragraphs: [`${organization} has used all ${quota} runs of its plan (${plan}) in ${monthIn(usage)}. ${next}`],
    }),
  };
};

const overageStarted = (usage: UsageBody): OrganizationNotice => ({
  kind: 'overage_begun',
  role: 'owner',
  compose: (organization) => ({
    subject: `Runs of ${organization} beyond the quota are now billed`,
    paragraphs: [
      `${organization} has started a run beyond the ${usage.quota} runs of its plan (${usage.plan}) in ${monthIn(usage)}.`,
      `This run and further runs before ${endIn(usage)} are billed${atMost(usage)}.`,
    ],
  }),
});

const overageUsedUp = (usage: UsageBody): OrganizationNotice => ({
  kind: 'overage_used_up',
  role: 'owner',
  compose: (organization) => ({
    subject: `${organization} has reached its limit of billed runs`,
    paragraphs: [
      `${organization} has used all of the ${usage.overage_limit} billed runs that it allows beyond its quota in ${monthIn(usage)}.`,
      `Further runs are rejected until ${endIn(usage)}, unless you raise the limit (overage_limit of the organization) or the plan.`,
    ],
  }),
});
