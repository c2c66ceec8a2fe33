import { type PlanName, PLANS } from '../../../../config/plans.js';
import type { Transaction } from '../../../platform/database/database.js';
import { counted } from '../../../platform/counted.js';
import { countLiveApiKeys } from '../../api-keys/api-keys.queries.js';
import type { OrganizationMails } from '../../mails/organization-mails.js';

export interface PlanDowngrade {
  readonly organizationId: string;
  readonly from: PlanName;
  readonly to: PlanName;
  /** Number of keys that the change has locked. */
  readonly locked: number;
  readonly now: Date;
}

/** Notifies admins and owners of a plan change that causes programs with the organization's keys to be refused; does nothing for others. */
export async function notifyOfDowngrade(
  tx: Transaction,
  mails: OrganizationMails,
  downgrade: PlanDowngrade,
): Promise<void> {
  const { organizationId, from, to, locked, now } = downgrade;
  if (!PLANS[from].public_api) return; // they were refused before
  const closed = !PLANS[to].public_api;
  const refused = closed ? await countLiveApiKeys(tx, organizationId, now) : locked;
  if (refused === 0) return;
  const allowed = counted(PLANS[to].api_keys, 'API key');
  await mails.notify(tx, organizationId, {
    kind: 'plan_lowered',
    role: 'admin',
    compose: (organization) => ({
      subject: `API keys of ${organization} no longer work`,
      paragraphs: [
        closed
          ? `The plan of ${organization} is now ${to}, which does not include the public API. Requests with API keys of ${organization} are rejected.`
          : `The plan of ${organization} is now ${to}, which allows ${allowed}. ${counted(locked, 'key')} over this limit, the least recently used, ${locked === 1 ? 'is' : 'are'} locked.`,
        `Nothing was deleted, and the keys work again after an upgrade of the plan. To see which keys are locked: GET /orgs/${organizationId}/api-keys.`,
      ],
    }),
  });
}
