import { AGREEMENT_NAMES, SOC2 } from '../../../config/soc2.js';
import { counted } from '../../platform/counted.js';
import { earlier, HOUR_MS } from '../../platform/durations.js';
import { previewSweeps } from '../../retention/index.js';
import { type Check, notApplicable, passedIf } from './check.js';
import { countAcceptances, countDeletions, countOpenWork, countSweeps } from './data.queries.js';

const { policy } = SOC2;
const hoursAgo = (now: Date, hours: number): Date => earlier(now, hours * HOUR_MS);

/** The job has run since, and what was already due then is gone. Retention set since then counts as swept. */
export const retentionEnforced: Check = async ({ db, now }) => {
  const since = hoursAgo(now, policy.sweep_hours);
  const { total, unswept } = await countSweeps(db, since);
  if (total === 0)
    return notApplicable(`No organization has had a retention set for more than ${policy.sweep_hours} hours.`);
  const overdue = (await previewSweeps(db, since))
    .filter((sweep) => !sweep.organization_deleted)
    .flatMap((sweep) => Object.values(sweep.deleted))
    .reduce((sum, rows) => sum + rows, 0);
  return passedIf(
    unswept + overdue === 0,
    `${total - unswept} of ${counted(total, 'organization')} whose retention was set more than ${policy.sweep_hours} hours ago swept within the last ${policy.sweep_hours} hours; ${counted(overdue, 'row')} kept longer than that past the retention.`,
  );
};

export const deletionsDone: Check = async ({ db, now }) => {
  const { waiting, overdue } = await countDeletions(db, hoursAgo(now, policy.sweep_hours));
  return passedIf(
    overdue === 0,
    `${counted(waiting, 'organization')} scheduled for deletion; ${overdue} should have been deleted more than ${policy.sweep_hours} hours ago.`,
  );
};

/** An agreement without a published text fails the check even if all have accepted it: nobody can tell what they accepted. */
export const agreementsAccepted: Check = async ({ db, organizationId }) => {
  const { total, accepted } = await countAcceptances(db, organizationId);
  if (total === 0) return notApplicable('There is no organization.');
  const unpublished = AGREEMENT_NAMES.map((name) => SOC2.agreements[name]).filter(({ url }) => url === undefined);
  const found =
    organizationId === null
      ? `${accepted} of ${counted(total, 'organization')} accepted every agreement in force.`
      : `${accepted === total ? 'Every' : 'Not every'} agreement in force was accepted.`;
  const lacking = unpublished.map(({ title, version }) => `${title}, version ${version}`).join('; ');
  return passedIf(
    accepted === total && unpublished.length === 0,
    unpublished.length === 0 ? found : `${found} The operator has not published the text of: ${lacking}.`,
  );
};

export const workNotStuck: Check = async ({ db, now }) => {
  const { open, stuck } = await countOpenWork(db, hoursAgo(now, policy.stuck_work_hours));
  return passedIf(
    stuck === 0,
    `${counted(open, 'run, import or sync', 'runs, imports and syncs')} in progress; ${stuck} for more than ${policy.stuck_work_hours} hours.`,
  );
};
