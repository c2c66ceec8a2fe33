import type { PlanName } from '../../../config/plans.js';
import { exists, one, oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import { serialize } from '../../platform/database/serialize.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import type { OrganizationBody } from './organizations.dto.js';

const COLUMNS =
  'id, name, plan, suspended_at, suspension_reason, ip_allowlist, data_region, retention_months, overage_limit, second_factor_required, delete_after, created_at';

export interface NewOrganization {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly createdAt: Date;
}

export function insertOrganization(db: Queryable, organization: NewOrganization): Promise<OrganizationBody> {
  return one<OrganizationBody>(
    db,
    `INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
    [organization.id, organization.name, organization.plan, organization.createdAt],
  );
}

/** Whether no organization and no user has been created yet; call it in the system scope. */
export async function installationIsUnused(db: Queryable): Promise<boolean> {
  const { unused } = await one<{ unused: boolean }>(
    db,
    'SELECT NOT EXISTS (SELECT FROM organizations) AND NOT EXISTS (SELECT FROM users) AS unused',
  );
  return unused;
}

export function findOrganization(db: Queryable, organizationId: string): Promise<OrganizationBody | undefined> {
  return oneOrNone<OrganizationBody>(db, `SELECT ${COLUMNS} FROM organizations WHERE id = $1`, [organizationId]);
}

/** Name of the demo organization, until someone puts it to use under another. */
export const DEMO_NAME = 'Demo';

/** SQL condition that the organization `o` is the demo that nobody has put to use. */
export const IS_DEMO = `(o.is_demo AND o.name = '${DEMO_NAME}')`;

/** Whether there is an organization besides the demo; call it in the system scope. */
export function anyOrganizationExists(db: Queryable): Promise<boolean> {
  return exists(db, `SELECT FROM organizations o WHERE NOT ${IS_DEMO}`);
}

export async function markDemoOrganization(db: Queryable, organizationId: string): Promise<void> {
  await db.execute('UPDATE organizations SET is_demo = true WHERE id = $1 AND NOT is_demo', [organizationId]);
}

/** Makes everyone else who creates an organization with this name wait until the transaction ends. Names themselves need not be unique. */
export const lockOrganizationName = (tx: Transaction, name: string): Promise<void> =>
  serialize(tx, `organization ${name}`);

export function findOrganizationsByName(db: Queryable, name: string): Promise<OrganizationBody[]> {
  return db.query<OrganizationBody>(`SELECT ${COLUMNS} FROM organizations WHERE name = $1 ORDER BY id`, [name]);
}

export function listOrganizations(db: Queryable): Promise<OrganizationBody[]> {
  return db.query<OrganizationBody>(`SELECT ${COLUMNS} FROM organizations ORDER BY id DESC`);
}

export async function setPlan(db: Queryable, organizationId: string, plan: PlanName): Promise<void> {
  await db.execute(`UPDATE organizations SET plan = $2 WHERE id = $1`, [organizationId, plan]);
}

/**
 * SQL for the plan that an organization was on until an instant; for a future one, the current plan. The audit log is the history
 * of plans: every change is stored together with its event.
 */
export const planUntil = (organizationId: string, instant: string): string => `coalesce(
  (SELECT details ->> 'from' FROM audit_events WHERE organization_id = ${organizationId} AND action = 'plan.changed'
     AND occurred_at >= ${instant} ORDER BY sequence LIMIT 1),
  (SELECT plan FROM organizations WHERE id = ${organizationId}))`;

/** Suspends the organization, or lifts the suspension if `at` is null. */
export function setSuspension(
  db: Queryable,
  organizationId: string,
  at: Date | null,
  reason: string | null,
): Promise<OrganizationBody> {
  return one<OrganizationBody>(
    db,
    `UPDATE organizations SET suspended_at = $2, suspension_reason = $3 WHERE id = $1 RETURNING ${COLUMNS}`,
    [organizationId, at, reason],
  );
}

export function setOrganizationAllowlist(
  db: Queryable,
  organizationId: string,
  ranges: readonly string[],
): Promise<OrganizationBody> {
  return one<OrganizationBody>(db, `UPDATE organizations SET ip_allowlist = $2 WHERE id = $1 RETURNING ${COLUMNS}`, [
    organizationId,
    ranges,
  ]);
}

/**
 * Locks the organization until the transaction ends, so that its limits hold under concurrency: whoever adds keys, members or
 * workspaces locks it too. FOR NO KEY UPDATE allows all other work to reference it in the meantime. FOR UPDATE could deadlock: work
 * that holds a run would wait for it, while it waits for work that references the organization and waits for the run.
 */
export function lockOrganization(tx: Transaction, organizationId: string): Promise<OrganizationBody | undefined> {
  return oneOrNone<OrganizationBody>(tx, `SELECT ${COLUMNS} FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, [
    organizationId,
  ]);
}

/** Newest first. */
export function pageOrganizations(db: Queryable, slice: IdSlice): Promise<OrganizationBody[]> {
  return db.query<OrganizationBody>(
    `SELECT ${COLUMNS} FROM organizations WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [slice.after ?? null, slice.limit],
  );
}

/** Stores what administrators can change about an organization that {@link lockOrganization} has locked. */
export function updateOrganization(
  db: Queryable,
  organization: OrganizationBody,
  now: Date,
): Promise<OrganizationBody> {
  return one<OrganizationBody>(
    db,
    `UPDATE organizations SET name = $2, ip_allowlist = $3, data_region = $4, retention_months = $5, overage_limit = $6, second_factor_required = $7,
       retention_set_at = CASE WHEN retention_months IS DISTINCT FROM $5 THEN $8 ELSE retention_set_at END
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [
      organization.id,
      organization.name,
      organization.ip_allowlist,
      organization.data_region,
      organization.retention_months,
      organization.overage_limit,
      organization.second_factor_required,
      now,
    ],
  );
}

/** Schedules the deletion of an organization at an instant, or cancels it if null. */
export function setDeletion(db: Queryable, organizationId: string, at: Date | null): Promise<OrganizationBody> {
  return one<OrganizationBody>(db, `UPDATE organizations SET delete_after = $2 WHERE id = $1 RETURNING ${COLUMNS}`, [
    organizationId,
    at,
  ]);
}
