import { SOC2 } from '../../../config/soc2.js';
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from '../../access/index.js';
import { counted } from '../../platform/counted.js';
import { DAY_MS, earlier, HOUR_MS } from '../../platform/durations.js';
import { type Check, type Finding, notApplicable, passedIf } from './check.js';
import {
  countAdminFactors,
  countBoundKeys,
  countKeys,
  countOperatorFactors,
  countReviews,
  countSessions,
  countStrayKeys,
  countStraySessions,
  type Share,
} from './access.queries.js';

const { policy } = SOC2;
/** Days that sessions are kept after their end (src/access/sessions), plus one for the cleanup job to run. */
const SESSIONS_KEPT_DAYS = 31;

const HAVING_A_FACTOR = { what: 'with a second factor', least: policy.second_factor_percent };

export const secondFactorOperators: Check = async ({ db }) =>
  judgeShare(await countOperatorFactors(db), { ...HAVING_A_FACTOR, one: 'operator' });

export const secondFactorAdmins: Check = async ({ db, organizationId }) =>
  judgeShare(await countAdminFactors(db, organizationId), {
    ...HAVING_A_FACTOR,
    one: 'administrator or owner',
    many: 'administrators and owners',
  });

export const accessReviewed: Check = async ({ db, now, organizationId }) => {
  const days = policy.access_review_days;
  const { total, overdue } = await countReviews(db, organizationId, earlier(now, days * DAY_MS));
  if (total === 0) return notApplicable('No active organization has members.');
  return passedIf(
    overdue === 0,
    `${total - overdue} of ${counted(total, 'membership')} started or reviewed within ${days} days; ${overdue} overdue.`,
  );
};

/** Sessions of people who belong to no organization are no organization's: for a single organization, only keys can be judged. */
export const leaversRemoved: Check = async ({ db, now, organizationId }) => {
  const keys = await countStrayKeys(db, organizationId, now);
  const found = `${counted(keys, 'live API key')} created by users who are no longer members`;
  if (organizationId !== null) return passedIf(keys === 0, `${found}.`);
  const sessions = await countStraySessions(db, now, earlier(now, SESSION_IDLE_MS));
  return passedIf(
    sessions + keys === 0,
    `${counted(sessions, 'open session')} of users who belong to no organization, ${found}.`,
  );
};

export const sessionsEnd: Check = async ({ db, now }) => {
  const { live, overlong, kept } = await countSessions(
    db,
    now,
    SESSION_ABSOLUTE_MS,
    earlier(now, SESSIONS_KEPT_DAYS * DAY_MS),
  );
  return passedIf(
    overlong + kept === 0,
    `${counted(live, 'open session')}; ${overlong} last longer than ${SESSION_ABSOLUTE_MS / DAY_MS} days; unused sessions end after ${SESSION_IDLE_MS / HOUR_MS} hours; ${kept} ended more than ${SESSIONS_KEPT_DAYS} days ago and are still stored.`,
  );
};

export const apiKeysRotated: Check = async ({ db, now, organizationId }) => {
  const days = policy.api_key_age_days;
  const { total, old, endless } = await countKeys(db, organizationId, now, earlier(now, days * DAY_MS));
  if (total === 0) return notApplicable('There is no live API key.');
  return passedIf(
    old + endless === 0,
    `${counted(total, 'live API key')}; ${old} older than ${days} days; ${endless} replaced but without an expiry.`,
  );
};

export const apiKeysAllowlisted: Check = async ({ db, now, organizationId }) =>
  judgeShare(await countBoundKeys(db, organizationId, now), {
    one: 'live API key',
    what: 'restricted to addresses',
    least: policy.allowlisted_keys_percent,
  });

interface Expectation {
  /** What is counted, in the singular; and in the plural if that is not formed with an s. */
  readonly one: string;
  readonly many?: string;
  /** What is expected of them. */
  readonly what: string;
  /** Required share in percent. */
  readonly least: number;
}

/** The reported percentage is rounded down, so that an insufficient share never looks sufficient. */
function judgeShare({ total, meeting }: Share, { one, many, what, least }: Expectation): Finding {
  if (total === 0) return notApplicable(`There is no ${one}.`);
  const percent = (100 * meeting) / total;
  return passedIf(
    percent >= least,
    `${meeting} of ${counted(total, one, many)} (${Math.floor(percent)}%) ${what}; ${least}% required.`,
  );
}
