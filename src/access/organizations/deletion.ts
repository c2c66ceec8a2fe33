import type { Transaction } from '../../platform/database/database.js';
import { DAY_MS, later } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import { dayInWords } from '../../platform/in-words.js';
import type { Attribution } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import type { OrganizationMails, OrganizationNotice } from '../mails/organization-mails.js';
import { setDeletion } from './organizations.queries.js';
import type { OrganizationBody } from './organizations.dto.js';
import { requireOrganization } from './require-organization.js';

/** Milliseconds within which a deletion can be canceled. */
const GRACE_MS = 30 * DAY_MS;

export interface DeletionChange extends Attribution {
  readonly organizationId: string;
  /** Whether the organization should be deleted or kept. */
  readonly deleted: boolean;
}

/**
 * Requests the deletion of an organization, which takes effect after 30 days but disables its API keys immediately, or cancels the
 * request; admins and owners are notified. A no-op if nothing changes: a repeated request does not move the date.
 * @throws {Problem} 404, also once the date has passed
 */
export async function changeDeletion(
  tx: Transaction,
  mails: OrganizationMails,
  { organizationId, deleted, actor, now }: DeletionChange,
): Promise<OrganizationBody> {
  const known = await requireOrganization(tx, organizationId);
  if (known.delete_after !== null && known.delete_after <= now) throw Problem.notFound('organization');
  if (deleted === (known.delete_after !== null)) return known;
  const at = deleted ? later(now, GRACE_MS) : null;
  const changed = await setDeletion(tx, known.id, at);
  const by = actor.kind === 'user' ? actor.name : OPERATOR;
  await mails.notify(tx, organizationId, at === null ? stays(by, known) : leaves(by, known, at));
  await recordAudit(tx, {
    organizationId,
    actor,
    action: deleted ? 'organization.deletion_requested' : 'organization.deletion_canceled',
    target: { kind: 'organization', id: known.id },
    details: { delete_after: at },
    now,
  });
  return changed;
}

const OPERATOR = 'An operator of this installation';

const leaves = (by: string, { id, suspended_at }: OrganizationBody, at: Date): OrganizationNotice => ({
  kind: 'deletion_requested',
  role: 'admin',
  compose: (organization) => ({
    subject: `${organization} will be deleted on ${dayInWords(at)}`,
    paragraphs: [
      `${by} has requested the deletion of ${organization} with all of its workspaces, demand, forecasts and API keys. From now on, its API keys are rejected and its schedules start no runs.`,
      suspended_at === null
        ? `An owner can cancel the deletion until ${dayInWords(at)} (UTC): POST /orgs/${id}/restore.`
        : `Because the organization is suspended, only an operator of this installation can cancel the deletion, until ${dayInWords(at)} (UTC).`,
    ],
  }),
});

const stays = (by: string, { suspended_at }: OrganizationBody): OrganizationNotice => ({
  kind: 'deletion_canceled',
  role: 'admin',
  compose: (organization) => ({
    subject: `The deletion of ${organization} was canceled`,
    paragraphs: [
      `${by} has canceled the deletion of ${organization}. ${suspended_at === null ? 'Its API keys work again.' : 'It is still suspended.'}`,
    ],
  }),
});
