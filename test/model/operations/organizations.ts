import { byUser } from '../admission.js';
import { organizationOf } from '../model.js';
import { type Maker, refused, same, succeeded } from '../operation.js';

/** Asks for the deletion of the organization, or takes that back. */
export const requestDeletion: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'owner');
  const leaves = dice.once(3);
  return {
    caller: call.caller,
    method: leaves ? 'DELETE' : 'POST',
    path: leaves ? call.path : `${call.path}/restore`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      succeeded(reply, leaves ? 202 : 200);
      const organization = call.organization(now);
      if (organization.leaving === leaves) return;
      organization.leaving = leaves;
      organization.audited.push(leaves ? 'organization.deletion_requested' : 'organization.deletion_canceled');
    },
  };
};

export const suspend: Maker = (model, dice, cast) => {
  const { id } = dice.pick(model.organizations);
  const suspended = dice.once(3);
  return {
    caller: cast.operator,
    method: 'PATCH',
    path: `/admin/orgs/${id}`,
    body: { suspended },
    judge: (now, reply) => {
      succeeded(reply, 200);
      const organization = organizationOf(now, id);
      if (organization.suspended === suspended) return;
      organization.suspended = suspended;
      organization.audited.push(suspended ? 'organization.suspended' : 'organization.resumed');
    },
  };
};

/** The maintenance switch of the public API. */
export const switchPublicApi: Maker = (_model, dice, cast) => {
  const enabled = dice.once(3);
  return {
    caller: cast.operator,
    method: 'PUT',
    path: '/admin/flags/disable_public_api',
    body: { enabled, reason: 'a drill' },
    judge: (now, reply) => {
      succeeded(reply, 200);
      same(reply.body['enabled'], enabled, 'flag');
      now.publicApi = !enabled;
    },
  };
};
