import { byEither, reachedBy } from '../admission.js';
import { idIn, type Maker, NOT_FOUND, refused, same, succeeded } from '../operation.js';
import { items } from '../world.js';

/** Tells the model of alerts. */
export const listAlerts: Maker = (model, dice, cast) => {
  const call = byEither(model, dice, cast, 'viewer');
  if (!call) return undefined;
  const named = call.keyId === null ? '' : `&workspace_id=${call.workspaceId}`;
  return {
    caller: call.caller,
    method: 'GET',
    path: `${call.base}/alerts?unread=false${named}`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      succeeded(reply, 200);
      const { alerts } = call.workspace(now);
      for (const returned of items(reply)) {
        const isRead = returned['read_at'] !== null;
        const known = alerts.find(({ id }) => id === returned['id']);
        if (known) same(isRead, known.read, `alert ${known.id} read`);
        else alerts.push({ id: String(returned['id']), uniqueId: String(returned['unique_id']), read: isRead });
      }
    },
  };
};

export const markAlert: Maker = (model, dice, cast) => {
  const call = byEither(model, dice, cast, 'member');
  const returned = model.organizations.flatMap(({ workspaces }) => workspaces.flatMap(({ alerts }) => alerts));
  const id = dice.pickOf(returned)?.id;
  if (!call || id === undefined) return undefined;
  const read = !dice.once(3);
  return {
    caller: call.caller,
    method: 'PATCH',
    path: `${call.base}/alerts/${id}`,
    body: { read },
    judge: (now, reply) => {
      if (refused(reply, call.unnamedRefusal(now))) return;
      const alerts = reachedBy(now, call).flatMap((workspace) => workspace.alerts);
      const alert = alerts.find((known) => known.id === id);
      if (!alert) return void refused(reply, NOT_FOUND);
      succeeded(reply, 200);
      same([idIn(reply), reply.body['read_at'] !== null], [id, read], 'alert');
      alert.read = read;
    },
  };
};
