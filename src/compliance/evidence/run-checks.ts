import { CHECK_NAMES, type CheckName } from '../../../config/soc2.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/database.js';
import { messageOf } from '../../platform/faults.js';
import { newId } from '../../platform/ids.js';
import type { CheckContext } from '../checks/check.js';
import { CHECKS } from '../checks/index.js';
import type { EvidenceBody } from '../dto/registers.dto.js';
import type { Trigger } from './evidence.js';
import { deleteOldEvidence, insertEvidence, type Observed } from './evidence.queries.js';
import { deleteOldHeartbeats } from './heartbeats.queries.js';
import { type Installation } from './installation.js';
import { leaseRound, releaseRound, renewRound } from './rounds.queries.js';

/** Maximum length of a stored detail. */
const MAX_DETAIL_LENGTH = 1_000;

export interface ChecksToRun {
  /** All of them if none are named. */
  readonly names?: readonly CheckName[] | undefined;
  readonly trigger: Trigger;
  /** Called between checks; if it returns true, the remaining ones are left to the next round. */
  readonly stopping?: () => boolean;
}

/**
 * Runs checks one after the other and stores each result immediately. When scheduled, only if a round is due.
 * @returns undefined if another process is running them, or nothing is due
 */
export async function runChecks(
  database: Database,
  clock: Clock,
  installation: Installation,
  { names = CHECK_NAMES, trigger, stopping = () => false }: ChecksToRun,
): Promise<EvidenceBody[] | undefined> {
  const holder = newId();
  const lease = { holder, now: clock.now(), early: trigger !== 'schedule' };
  if (!(await leaseRound(database, lease))) return undefined;
  const found: EvidenceBody[] = [];
  let ended = false;
  try {
    for (const name of names) {
      if (stopping() || !(await renewRound(database, holder, clock.now()))) return found;
      const context = { ...installation, db: database, now: clock.now(), organizationId: null };
      const evidence = await runCheck(name, context, trigger);
      await insertEvidence(database, evidence);
      found.push(evidence);
    }
    await deleteOldEvidence(database, clock.now());
    await deleteOldHeartbeats(database, clock.now());
    ended = CHECK_NAMES.every((name) => names.includes(name));
    return found;
  } finally {
    await releaseRound(database, holder, ended ? clock.now() : null);
  }
}

/** Runs one check. If it throws, the error is the evidence, never a pass. */
async function runCheck(name: CheckName, context: CheckContext, trigger: Trigger): Promise<EvidenceBody> {
  const begun = performance.now();
  const found = await executeCheck(name, context).catch((error: unknown): Observed => {
    const detail = `The check could not run: ${messageOf(error)}`.slice(0, MAX_DETAIL_LENGTH);
    return { check: name, status: 'error', detail, checked_at: context.now };
  });
  return { id: newId(), ...found, duration_ms: Math.round(performance.now() - begun), trigger };
}

/** Result of a check for the organization of the context, without storing it. Rejects if the check throws. */
export async function executeCheck(name: CheckName, context: CheckContext): Promise<Observed> {
  const { status, detail } = await CHECKS[name](context);
  return { check: name, status, detail: detail.slice(0, MAX_DETAIL_LENGTH), checked_at: context.now };
}
