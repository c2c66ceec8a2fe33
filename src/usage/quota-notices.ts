import { Injectable } from '@nestjs/common';
import { PLANS } from '../../config/plans.js';
import { OrganizationMails } from '../access/index.js';
import type { Transaction } from '../platform/database/database.js';
import { monthOf, nextMonth } from './months.js';
import type { Billed, RunCharge } from './quota.js';
import { takeNotice } from './usage.queries.js';

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** E-mails the owners of an organization, once per month and quota each, that the quota is used up and that runs beyond it are billed. */
@Injectable()
export class QuotaNotices {
  constructor(private readonly mails: OrganizationMails) {}

  /** In the transaction that has counted the run as `billed`. @param overage asked only where the quota has ended with it */
  async afterRun(tx: Transaction, charge: RunCharge, billed: Billed, overage: () => Promise<boolean>): Promise<void> {
    if (!this.mails.configured) return;
    const { organizationId, plan, now } = charge;
    const quota = PLANS[plan].monthly_runs;
    if (!(await takeNotice(tx, organizationId, monthOf(now), { about: billed, quota }))) return;
    const until = DAY.format(nextMonth(now));
    if (billed === 'overage') {
      await this.mails.notify(tx, organizationId, {
        kind: 'overage_begun',
        role: 'owner',
        compose: (organization) => ({
          subject: `Runs of ${organization} are billed beyond the quota`,
          paragraphs: [
            `${organization} has started a run beyond the ${quota} of its plan (${plan}) in ${MONTH.format(now)}.`,
            `This run, and those that follow before ${until} (UTC), are billed.`,
          ],
        }),
      });
      return;
    }
    const next = (await overage())
      ? `Further runs before ${until} (UTC) are billed.`
      : `Further runs are refused until ${until} (UTC), unless the plan is raised.`;
    await this.mails.notify(tx, organizationId, {
      kind: 'quota_used_up',
      role: 'owner',
      compose: (organization) => ({
        subject: `The runs of ${organization} are used up`,
        paragraphs: [
          `${organization} has used all ${quota} runs of its plan (${plan}) in ${MONTH.format(now)}. ${next}`,
        ],
      }),
    });
  }
}
