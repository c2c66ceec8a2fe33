import { SOC2 } from '../../../config/soc2.js';
import { listChains, PLATFORM_CHAIN, verifyAuditChain } from '../../access/index.js';
import { counted } from '../../platform/counted.js';
import { earlier, HOUR_MS } from '../../platform/durations.js';
import { latestActivity } from './audit.queries.js';
import { type Check, failed, firstFive, passedIf } from './check.js';

/** Recomputes every chain. */
export const auditChain: Check = async ({ db }) => {
  let events = 0;
  const broken: string[] = [];
  const chains = await listChains(db);
  for (const chain of chains) {
    const report = await verifyAuditChain(db, chain);
    events += report.events;
    if (!report.intact) {
      const whose = chain === PLATFORM_CHAIN ? 'the platform' : `organization ${chain}`;
      broken.push(`${whose} at event ${report.broken_at} (${report.reason})`);
    }
  }
  return passedIf(
    broken.length === 0,
    `Recomputed ${counted(chains.length, 'chain')} with ${counted(events, 'event')}; ${broken.length === 0 ? 'all are intact' : `broken: ${firstFive(broken)}`}.`,
  );
};

export const auditActivity: Check = async ({ db, now }) => {
  const hours = SOC2.policy.audit_activity_hours;
  const since = earlier(now, hours * HOUR_MS);
  const { latest, chains } = await latestActivity(db, since);
  if (latest === null) return failed('The audit log is empty.');
  return passedIf(
    latest >= since,
    `The last event was written at ${latest.toISOString()}; ${counted(chains, 'chain')} grew within ${hours} hours.`,
  );
};
