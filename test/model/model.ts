import type { PlanName } from '../../config/plans.js';
import type { MemberRole } from '../../src/platform/http/access-declaration.js';

/**
 * What a careful reader of the contract believes of the service. Plain data, so that a copy can be asked what would have
 * come of another order of calls.
 */
export interface Model {
  publicApi: boolean;
  readonly organizations: Organization[];
  topics: Topic[];
  /** Ids of what has been deleted, and must stay so. */
  readonly gone: Record<'workspace' | 'series' | 'run' | 'topic', string[]>;
  /** Ids of keys that went with their workspace beside the call that is being judged, which may have been admitted before. */
  going: string[];
}

export interface Organization {
  readonly id: string;
  /** In every name of the tenant, and in none of another. */
  readonly marker: string;
  readonly plan: PlanName;
  suspended: boolean;
  /** Its deletion has been asked for: keys are refused, members go on. */
  leaving: boolean;
  /** Of members, by their user ids. */
  readonly roles: Record<string, MemberRole>;
  invitations: Invitation[];
  keys: Key[];
  workspaces: Workspace[];
  /** Runs of the month that counted at the beginning. */
  readonly usedBefore: number;
  /** Runs of the month that count, at most. */
  used: number;
  /** Of those, runs of deleted workspaces that count only where a worker had taken them up, of which no reply tells. */
  unclear: number;
  /** Actions that the audit log must tell, each once. */
  readonly audited: string[];
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly invitedBy: string;
  readonly token: string;
}

export interface Key {
  readonly id: string;
  readonly plaintext: string;
  readonly workspaceId: string | null;
  name: string;
  allowlist: 'none' | 'here' | 'elsewhere';
  state: 'active' | 'superseded' | 'expired' | 'revoked';
  /** The request that came with each Idempotency-Key, and the id that its reply returned. */
  readonly replies: Record<string, { readonly request: string; readonly id: string }>;
}

export interface Workspace {
  readonly id: string;
  name: string;
  series: Series[];
  readonly runs: Run[];
  /** Those that a list has returned. */
  alerts: { readonly id: string; readonly uniqueId: string; read: boolean }[];
  schedule: { readonly day: number; readonly hour: number } | null;
}

export interface Series {
  /** Null until a reply has returned it. */
  id: string | null;
  readonly uniqueId: string;
  productName: string | null;
  /** By month (`YYYY-MM`): its one figure, or its days. */
  readonly months: Record<string, number | Record<string, number>>;
  /** What stands, by month. */
  readonly overrides: Record<string, Override>;
  /** How many were ever put. */
  overridesPut: number;
}

export interface Override {
  readonly kind: 'absolute' | 'delta' | 'percent';
  readonly value: number;
}

export interface Run {
  readonly id: string;
  /** `completed` once a reply has said so. */
  state: 'started' | 'completed' | 'canceled';
  /** Whether it counts against the quota. */
  billed: boolean;
}

export interface Topic {
  readonly id: string;
  readonly authorId: string;
  body: string;
  locked: boolean;
  hidden: boolean;
  replies: { readonly id: string; readonly authorId: string; readonly body: string }[];
}

export function organizationOf(model: Model, id: string): Organization {
  return model.organizations.find((organization) => organization.id === id)!;
}

export function findWorkspace(
  model: Model,
  id: string,
): { readonly workspace: Workspace; readonly organization: Organization } | undefined {
  for (const organization of model.organizations) {
    const workspace = organization.workspaces.find((candidate) => candidate.id === id);
    if (workspace) return { workspace, organization };
  }
  return undefined;
}

export function findKey(
  model: Model,
  id: string,
): { readonly key: Key; readonly organization: Organization } | undefined {
  for (const organization of model.organizations) {
    const key = organization.keys.find((candidate) => candidate.id === id);
    if (key) return { key, organization };
  }
  return undefined;
}

/** A series by its id or its unique_id. */
export function findSeries(workspace: Workspace, name: string): Series | undefined {
  return workspace.series.find(({ id, uniqueId }) => id === name || uniqueId === name);
}
