import { SOC2 } from '../../../config/soc2.js';
import { counted } from '../../platform/counted.js';
import { DAY_MS, earlier, HOUR_MS } from '../../platform/durations.js';
import { readHeartbeats, SLOT_MS, slotOf } from '../evidence/heartbeats.queries.js';
import { type Check, failed, passedIf } from './check.js';

const { policy } = SOC2;

export const tlsPublicUrl: Check = ({ settings: { PUBLIC_URL } }) =>
  Promise.resolve(
    PUBLIC_URL === undefined
      ? failed('PUBLIC_URL is not set, so it is unknown how clients reach the service.')
      : passedIf(PUBLIC_URL.startsWith('https://'), `Clients reach the service at ${new URL(PUBLIC_URL).origin}.`),
  );

/** The share of past minutes in which some process was ready. */
export const uptime: Check = async ({ db, now }) => {
  const from = earlier(now, policy.uptime_days * DAY_MS);
  const { first, slots } = await readHeartbeats(db, from, slotOf(now));
  if (first === null) return failed('No uptime has been recorded yet.');
  const passedSlots = Math.round((slotOf(now).getTime() - slotOf(first < from ? from : first).getTime()) / SLOT_MS);
  const watched = (passedSlots * SLOT_MS) / HOUR_MS;
  const percent = passedSlots === 0 ? 0 : Math.min(100, (100 * slots) / passedSlots);
  return passedIf(
    percent >= policy.uptime_percent && watched >= policy.uptime_least_hours,
    `Ready in ${slots.toLocaleString('en-US')} of ${counted(passedSlots, 'minute')} (${Math.floor(100 * percent) / 100}%), monitored for ${watched.toFixed(1)} hours; ${policy.uptime_percent}% over at least ${policy.uptime_least_hours} hours required.`,
  );
};
