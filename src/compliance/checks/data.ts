import { AGREEMENT_NAMES, SOC2 } from '../../../config/soc2.js';
import { counted } from '../../platform/counted.js';
import { earlier, HOUR_MS } from '../../platform/durations.js';
import { previewSweeps } from '../../retention/index.js';
import { type Check, notApplicable, passedIf } from './check.js';
import { countAcceptances, countDeletions, countOpenWork, countSweeps } from './data.queries.js';

const { policy } = SOC2;
const hoursAgo = (now: Date, hours: number): Date => earlier(now, hours * HOUR_MS);

/** The job has come round since, and what was due already then is gone. A retention set since has the time of a sweep. */
export const retentionEnforced: Check = async ({ db, now }) => {
  const since = hoursAgo(now, policy.sweep_hours);
  const { total, unswept } = await countSweeps(db, since);
  if (total === 0)
    return notApplicable(`No organization has a retention that has stood for more than ${policy.sweep_hours} hours.`);
  const overdue = (await previewSweeps(db, since))
    .filter((sweep) => !sweep.organization_deleted)
    .flatMap((sweep) => Object.values(sweep.deleted))
    .reduce((sum, rows) => sum + rows, 0);
  return passedIf(
    unswept + overdue === 0,
    `${total - unswept} of ${counted(total, 'organization')} whose retention has stood for more than ${policy.sweep_hours} hours swept within them; ${counted(overdue, 'row')} outlived it by more.`,
  );
};

export const deletionsDone: Check = async ({ db, now }) => {
  const { waiting, overdue } = await countDeletions(db, hoursAgo(now, policy.sweep_hours));
  return passedIf(
    overdue === 0,
    `${counted(waiting, 'organization')} to be deleted, as asked; ${overdue} should have been deleted more than ${policy.sweep_hours} hours ago.`,
  );
};

/** An agreement without a published text fails the check even where all have accepted it: nobody can tell what they accepted. */
export const agreementsAccepted: Check = async ({ db, organizationId }) => {
  const { total, accepted } = await countAcceptances(db, organizationId);
  if (total === 0) return notApplicable('There is no organization.');
  const unpublished = AGREEMENT_NAMES.map((name) => SOC2.agreements[name]).filter(({ url }) => url === undefined);
  const found =
    organizationId === null
      ? `${accepted} of ${counted(total, 'organization')} with every agreement in force accepted.`
      : `${accepted === total ? 'Every' : 'Not every'} agreement in force is accepted.`;
  const lacking = unpublished.map(({ title, version }) => `${title}, version ${version}`).join('; ');
  return passedIf(
    accepted === total && unpublished.length === 0,
    unpublished.length === 0 ? found : `${found} The operator has published no text of: ${lacking}.`,
  );
};

export const workNotStuck: Check = async ({ db, now }) => {
  const { open, stuck } = await countOpenWork(db, hoursAgo(now, policy.stuck_work_hours));
  return passedIf(
    stuck === 0,
    `${counted(open, 'run, import or sync', 'runs, imports and syncs')} at work; ${stuck} for more than ${policy.stuck_work_hours} hours.`,
  );
};
