import { PLANS } from '../../../config/plans.js';
import { byUser, pickWorkspaceId } from '../admission.js';
import type { Key } from '../model.js';
import { idIn, type Maker, NOT_FOUND, refused, same, succeeded } from '../operation.js';
import { items } from '../world.js';

export const createWorkspace: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const name = `${call.organization(model).marker} site ${dice.below(100)}`;
  return {
    caller: call.caller,
    method: 'POST',
    path: `${call.path}/workspaces`,
    body: { name },
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const { plan, workspaces, audited } = call.organization(now);
      if (workspaces.length >= PLANS[plan].workspaces) {
        refused(reply, [409, 'plan_limit_reached']);
        return same([reply.body['limit'], reply.body['used']], [PLANS[plan].workspaces, workspaces.length], 'limit');
      }
      succeeded(reply, 201);
      workspaces.push({ id: idIn(reply), name, series: [], runs: [], alerts: [], schedule: null });
      audited.push('workspace.created');
    },
  };
};

export const renameWorkspace: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const id = pickWorkspaceId(model, dice, call.organization(model)) ?? 'nonsense';
  const name = `${call.organization(model).marker} site ${dice.below(100)}`;
  return {
    caller: call.caller,
    method: 'PATCH',
    path: `${call.path}/workspaces/${id}`,
    body: { name },
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const { workspaces, audited } = call.organization(now);
      const workspace = workspaces.find((candidate) => candidate.id === id);
      if (!workspace) return void refused(reply, NOT_FOUND);
      succeeded(reply, 200);
      same([idIn(reply), reply.body['name']], [id, name], 'workspace');
      if (workspace.name !== name) audited.push('workspace.changed');
      workspace.name = name;
    },
  };
};

/** With everything in it, and its keys. */
export const deleteWorkspace: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const id = pickWorkspaceId(model, dice, call.organization(model)) ?? 'nonsense';
  return {
    caller: call.caller,
    method: 'DELETE',
    path: `${call.path}/workspaces/${id}`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const organization = call.organization(now);
      const workspace = organization.workspaces.find((candidate) => candidate.id === id);
      if (!workspace) return void refused(reply, NOT_FOUND);
      succeeded(reply, 204);
      organization.workspaces = organization.workspaces.filter((other) => other !== workspace);
      const isOfIt = (key: Key): boolean => key.workspaceId === id;
      now.going.push(...organization.keys.filter(isOfIt).map((key) => key.id));
      organization.keys = organization.keys.filter((key) => !isOfIt(key));
      now.gone.workspace.push(id);
      now.gone.series.push(...workspace.series.flatMap((series) => series.id ?? []));
      now.gone.run.push(...workspace.runs.map((run) => run.id));
      // what no worker had taken up is given back
      organization.unclear += workspace.runs.filter(({ state }) => state === 'started').length;
      organization.audited.push('workspace.deleted');
    },
  };
};

export const listWorkspaces: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  return {
    caller: call.caller,
    method: 'GET',
    path: `${call.path}/workspaces`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      succeeded(reply, 200);
      const returned = items(reply).map(({ id, name }) => [id, name]);
      const known = call.organization(now).workspaces.map(({ id, name }) => [id, name]);
      same(new Set(returned.map(String)), new Set(known.map(String)), 'workspaces');
    },
  };
};
