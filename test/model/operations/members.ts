import { PLANS } from '../../../config/plans.js';
import type { MemberRole } from '../../../src/platform/http/access-declaration.js';
import { TEST_PASSWORD } from '../../support/builders.js';
import { byUser, pickUser } from '../admission.js';
import { type Organization, organizationOf } from '../model.js';
import { idIn, type Maker, NOT_FOUND, type Refusal, refused, same, succeeded } from '../operation.js';
import { items } from '../world.js';

const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;

/** Owners are for owners to change, and one must stay. @param role the new one, or null for none */
function ownerRefusal(
  { roles }: Organization,
  userId: string,
  target: string,
  role: MemberRole | null,
): Refusal | undefined {
  const has = roles[target];
  if (has === undefined) return NOT_FOUND;
  if ((has === 'owner' || role === 'owner') && roles[userId] !== 'owner') return [403, 'role_required'];
  const owners = Object.values(roles).filter((known) => known === 'owner').length;
  return has === 'owner' && role !== 'owner' && owners < 2 ? [409, 'last_owner'] : undefined;
}

/** Withdraws the invitations of a member that the role left, null for none, may not send. */
function withdrawSent(organization: Organization, userId: string, left: MemberRole | null): void {
  if (left === 'owner') return;
  const { invitations, audited } = organization;
  organization.invitations = invitations.filter(
    ({ invitedBy, role }) => invitedBy !== userId || (left === 'admin' && role !== 'owner'),
  );
  for (let n = organization.invitations.length; n < invitations.length; n += 1) audited.push('invitation.revoked');
}

export const changeRole: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const target = pickUser(dice, cast, call.organization(model).id).id;
  const role = dice.pick(ROLES);
  return {
    caller: call.caller,
    method: 'PATCH',
    path: `${call.path}/members/${target}`,
    body: { role },
    judge: (now, reply) => {
      const organization = call.organization(now);
      if (refused(reply, call.refusal(now) ?? ownerRefusal(organization, call.userId, target, role))) return;
      succeeded(reply, 200);
      same([reply.body['user_id'], reply.body['role']], [target, role], 'member');
      if (organization.roles[target] === role) return;
      organization.roles[target] = role;
      organization.audited.push('member.role_changed');
      withdrawSent(organization, target, role);
    },
  };
};

export const removeMember: Maker = (model, dice, cast) => {
  const leaves = dice.once(2);
  const call = byUser(model, dice, cast, leaves ? 'viewer' : 'admin');
  const target = leaves ? call.userId : pickUser(dice, cast, call.organization(model).id).id;
  return {
    caller: call.caller,
    method: 'DELETE',
    path: `${call.path}/members/${leaves ? 'me' : target}`,
    judge: (now, reply) => {
      const organization = call.organization(now);
      if (refused(reply, call.refusal(now) ?? ownerRefusal(organization, call.userId, target, null))) return;
      succeeded(reply, 204);
      delete organization.roles[target];
      organization.audited.push('member.removed');
      withdrawSent(organization, target, null);
    },
  };
};

export const listMembers: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  return {
    caller: call.caller,
    method: 'GET',
    path: `${call.path}/members`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      succeeded(reply, 200);
      const returned = items(reply).map((member) => [member['user_id'], member['role']]);
      same(new Map(returned as [string, string][]), new Map(Object.entries(call.organization(now).roles)), 'members');
    },
  };
};

/** Those who have left come back by an invitation. */
export const invite: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const guest = dice.pick(cast.users.filter(({ home }) => home === call.organization(model).id));
  const role = dice.pick(ROLES);
  return {
    caller: call.caller,
    method: 'POST',
    path: `${call.path}/invitations`,
    body: { email: guest.email, role },
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const organization = call.organization(now);
      const { roles, invitations, plan } = organization;
      if (role === 'owner' && roles[call.userId] !== 'owner') return void refused(reply, [403, 'role_required']);
      if (roles[guest.id] !== undefined) return void refused(reply, [409, 'already_member']);
      const others = invitations.filter(({ email }) => email !== guest.email);
      const isFull = Object.keys(roles).length + others.length >= PLANS[plan].members;
      if (isFull) return void refused(reply, [409, 'plan_limit_reached']);
      succeeded(reply, 201);
      const token = String(reply.body['token']);
      const invitation = { id: idIn(reply), email: guest.email, role, invitedBy: call.userId, token };
      if (others.length < invitations.length) organization.audited.push('invitation.revoked');
      organization.invitations = [...others, invitation];
      organization.audited.push('invitation.created');
    },
  };
};

export const acceptInvitation: Maker = (model, dice, cast) => {
  const { id: organizationId, invitations } = dice.pick(model.organizations);
  const invitation = dice.pickOf(invitations);
  const guest = cast.users.find(({ email }) => email === invitation?.email);
  if (!invitation || !guest) return undefined;
  return {
    caller: { label: guest.caller.label, headers: {}, blindTo: guest.caller.blindTo },
    method: 'POST',
    path: '/auth/invitations/accept',
    body: { token: invitation.token, name: 'Guest', password: TEST_PASSWORD },
    judge: (now, reply) => {
      const organization = organizationOf(now, organizationId);
      const others = organization.invitations.filter(({ id }) => id !== invitation.id);
      if (others.length === organization.invitations.length) return void refused(reply, NOT_FOUND);
      const { roles, plan } = organization;
      const isFull = !(guest.id in roles) && Object.keys(roles).length >= PLANS[plan].members;
      if (isFull) return void refused(reply, [409, 'plan_limit_reached']);
      succeeded(reply, 200);
      organization.invitations = others;
      organization.roles[guest.id] = invitation.role;
      same(reply.body['role'], invitation.role, 'role');
      organization.audited.push('invitation.accepted');
    },
  };
};

export const revokeInvitation: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const id = dice.pickOf(call.organization(model).invitations)?.id ?? 'nonsense';
  return {
    caller: call.caller,
    method: 'DELETE',
    path: `${call.path}/invitations/${id}`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const organization = call.organization(now);
      const others = organization.invitations.filter((invitation) => invitation.id !== id);
      if (others.length === organization.invitations.length) return void refused(reply, NOT_FOUND);
      succeeded(reply, 204);
      organization.invitations = others;
      organization.audited.push('invitation.revoked');
    },
  };
};
