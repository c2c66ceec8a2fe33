import { Injectable } from '@nestjs/common';
import { PLANS } from '../../config/plans.js';
import { OrganizationMails, type OrganizationNotice } from '../access/index.js';
import type { Transaction } from '../platform/database/database.js';
import { monthOf } from './months.js';
import type { Billed, RunCharge, Usage } from './quota.js';
import { takeNotice } from './usage.queries.js';

/**
 * E-mails the owners of an organization, once per month and quota each, that the quota is used up and that runs beyond it are billed, and
 * when the last of those that it allows is used.
 */
@Injectable()
export class QuotaNotices {
  constructor(private readonly mails: OrganizationMails) {}

  /** In the transaction that has counted the run as `billed`. @param readUsage asked only where there may be something to tell */
  async afterRun(tx: Transaction, charge: RunCharge, billed: Billed, readUsage: () => Promise<Usage>): Promise<void> {
    if (!this.mails.configured) return;
    const { organizationId, plan, now } = charge;
    const first = { about: billed, quota: PLANS[plan].monthly_runs };
    const isFirst = await takeNotice(tx, organizationId, monthOf(now), first);
    if (!isFirst && billed === 'quota') return;
    const usage = await readUsage();
    const notices = isFirst ? [billed === 'quota' ? quotaUsedUp(usage) : overageBegun(usage)] : [];
    if (billed === 'overage' && usage.overage === usage.overage_limit) notices.push(overageUsedUp(usage));
    for (const notice of notices) await this.mails.notify(tx, organizationId, notice);
  }
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const monthIn = ({ month }: Usage): string => MONTH.format(new Date(month));
const endIn = ({ resets_at }: Usage): string => `${DAY.format(new Date(resets_at))} (UTC)`;
const atMost = ({ overage_limit }: Usage): string => (overage_limit === null ? '' : `, ${overage_limit} at most`);

const quotaUsedUp = (usage: Usage): OrganizationNotice => {
  const { plan, quota, overage_enabled } = usage;
  const next = overage_enabled
    ? `Further runs before ${endIn(usage)} are billed${atMost(usage)}.`
    : `Further runs are refused until ${endIn(usage)}, unless the plan is raised.`;
  return {
    kind: 'quota_used_up',
    role: 'owner',
    compose: (organization) => ({
      subject: `The runs of ${organization} are used up`,
      paragraphs: [`${organization} has used all ${quota} runs of its plan (${plan}) in ${monthIn(usage)}. ${next}`],
    }),
  };
};

const overageBegun = (usage: Usage): OrganizationNotice => ({
  kind: 'overage_begun',
  role: 'owner',
  compose: (organization) => ({
    subject: `Runs of ${organization} are billed beyond the quota`,
    paragraphs: [
      `${organization} has started a run beyond the ${usage.quota} of its plan (${usage.plan}) in ${monthIn(usage)}.`,
      `This run, and those that follow before ${endIn(usage)}, are billed${atMost(usage)}.`,
    ],
  }),
});

const overageUsedUp = (usage: Usage): OrganizationNotice => ({
  kind: 'overage_used_up',
  role: 'owner',
  compose: (organization) => ({
    subject: `${organization} has reached its limit of billed runs`,
    paragraphs: [
      `${organization} has used all ${usage.overage_limit} billed runs that it allows beyond its quota in ${monthIn(usage)}.`,
      `Further runs are refused until ${endIn(usage)}, unless the limit (overage_limit of the organization) or the plan is raised.`,
    ],
  }),
});
