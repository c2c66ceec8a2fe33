import { PLANS } from '../../config/plans.js';
import { MEMBER_ROLES, type MemberRole } from '../../src/platform/http/access-declaration.js';
import type { Dice } from './dice.js';
import {
  findKey,
  findWorkspace,
  type Model,
  type Organization,
  organizationOf,
  type Run,
  type Workspace,
} from './model.js';
import { type Cast, NOT_FOUND, type Refusal, type User } from './operation.js';
import type { Caller } from './world.js';

/** Who calls about which organization, and what stands in the way of the call. */
export interface AdmittedCall {
  readonly caller: Caller;
  readonly organization: (model: Model) => Organization;
  /** Undefined where the call is admitted. */
  readonly refusal: (model: Model) => Refusal | undefined;
}

export interface UserCall extends AdmittedCall {
  readonly userId: string;
  /** Of the organization. */
  readonly path: string;
}

/** A call about a workspace: of a member, with its id in the path, or of a key. */
export interface WorkspaceCall extends AdmittedCall {
  readonly workspaceId: string;
  /** Null for a member. */
  readonly keyId: string | null;
  /** What the paths of the surface begin with. */
  readonly base: string;
  /** What the caller has been admitted to. */
  readonly workspace: (model: Model) => Workspace;
  /** As `refusal`, of a call that does not name the workspace where a key sends it. */
  readonly unnamedRefusal: (model: Model) => Refusal | undefined;
}

/** Mostly of the organization, and then mostly of those who may. */
export function pickUser(dice: Dice, { users }: Cast, organizationId: string): User {
  if (dice.once(10)) return dice.pick(users);
  const own = users.filter(({ home }) => home === organizationId);
  return dice.pick(dice.once(4) ? own : own.slice(-2));
}

/** One that is there, or once in a while one that was deleted. */
export function pickWorkspaceId(model: Model, dice: Dice, organization: Organization): string | undefined {
  return dice.once(12) ? dice.pickOf(model.gone.workspace) : dice.pickOf(organization.workspaces)?.id;
}

export function byUser(model: Model, dice: Dice, cast: Cast, role: MemberRole): UserCall {
  const { id } = dice.pick(model.organizations);
  const user = pickUser(dice, cast, id);
  const organization = (now: Model): Organization => organizationOf(now, id);
  const refusal = (now: Model): Refusal | undefined => memberRefusal(organization(now), user.id, role);
  return { caller: user.caller, userId: user.id, path: `/orgs/${id}`, organization, refusal };
}

export function byMember(model: Model, dice: Dice, cast: Cast, role: MemberRole): WorkspaceCall | undefined {
  const { id } = dice.pick(model.organizations);
  const workspaceId = pickWorkspaceId(model, dice, organizationOf(model, id));
  if (workspaceId === undefined) return undefined;
  const user = pickUser(dice, cast, id);
  const refusal = (now: Model): Refusal | undefined =>
    memberRefusal(findWorkspace(now, workspaceId)?.organization, user.id, role);
  return {
    caller: user.caller,
    workspaceId,
    keyId: null,
    base: `/workspaces/${workspaceId}`,
    organization: (now) => organizationOf(now, id),
    workspace: (now) => findWorkspace(now, workspaceId)!.workspace,
    refusal,
    unnamedRefusal: refusal,
  };
}

export function byKey(model: Model, dice: Dice): WorkspaceCall | undefined {
  const organization = dice.pick(model.organizations);
  const key = dice.pickOf(organization.keys.slice(-3));
  const stray = dice.once(6);
  const about = stray ? dice.pick(model.organizations) : organization;
  const workspaceId = (stray ? undefined : key?.workspaceId) ?? pickWorkspaceId(model, dice, about);
  if (key === undefined || workspaceId === undefined) return undefined;
  const others = model.organizations.filter((other) => other !== organization);
  return {
    caller: {
      label: `key ${key.id.slice(-6)} of ${organization.marker}`,
      headers: { 'x-api-key': key.plaintext },
      blindTo: others.map(({ marker }) => marker),
    },
    workspaceId,
    keyId: key.id,
    base: '/api/v1',
    organization: (now) => organizationOf(now, organization.id),
    workspace: (now) => findWorkspace(now, workspaceId)!.workspace,
    refusal: (now) => keyRefusal(now, key.id) ?? scopeRefusal(now, key.id, workspaceId),
    unnamedRefusal: (now) => keyRefusal(now, key.id),
  };
}

/** As a member of the role, or, every other time, with a key. */
export function byEither(model: Model, dice: Dice, cast: Cast, role: MemberRole): WorkspaceCall | undefined {
  return dice.once(2) ? byMember(model, dice, cast, role) : byKey(model, dice);
}

/** The workspaces that the caller of a path without one reaches. */
export function reachedBy(model: Model, call: WorkspaceCall): readonly Workspace[] {
  const only = call.keyId === null ? call.workspaceId : findKey(model, call.keyId)!.key.workspaceId;
  return call.organization(model).workspaces.filter(({ id }) => only === null || id === only);
}

export interface FoundRun {
  readonly run: Run;
  readonly workspace: Workspace;
  readonly organization: Organization;
}

export function findRun(model: Model, call: WorkspaceCall, id: string): FoundRun | undefined {
  for (const workspace of reachedBy(model, call)) {
    const run = workspace.runs.find((candidate) => candidate.id === id);
    if (run) return { run, workspace, organization: call.organization(model) };
  }
  return undefined;
}

function memberRefusal(organization: Organization | undefined, userId: string, role: MemberRole): Refusal | undefined {
  const has = organization?.roles[userId];
  if (organization === undefined || has === undefined) return NOT_FOUND;
  if (organization.suspended) return [403, 'organization_suspended'];
  return MEMBER_ROLES.indexOf(has) < MEMBER_ROLES.indexOf(role) ? [403, 'role_required'] : undefined;
}

/** Checks 1 to 6 of the contract. */
function keyRefusal(model: Model, keyId: string): Refusal | undefined {
  if (!model.publicApi) return [503, 'public_api_disabled'];
  const { key, organization } = findKey(model, keyId) ?? {};
  // the key was good when it was looked at, and the workspace gone when it was: nothing is stored in it, which 404 says
  if (model.going.includes(keyId)) return [401, 'api_key_invalid', NOT_FOUND];
  if (!key || !organization || key.state === 'expired' || key.state === 'revoked') return [401, 'api_key_invalid'];
  if (organization.suspended || organization.leaving) return [403, 'organization_suspended'];
  if (key.allowlist === 'elsewhere') return [403, 'ip_not_allowed'];
  return PLANS[organization.plan].public_api ? undefined : [403, 'plan_not_eligible'];
}

/** Check 8. */
function scopeRefusal(model: Model, keyId: string, workspaceId: string): Refusal | undefined {
  const { key, organization } = findKey(model, keyId)!;
  if (key.workspaceId !== null) return key.workspaceId === workspaceId ? undefined : [403, 'workspace_forbidden'];
  return organization.workspaces.some(({ id }) => id === workspaceId) ? undefined : NOT_FOUND;
}
