import { byMember } from '../admission.js';
import { type Maker, NOT_FOUND, refused, same, succeeded } from '../operation.js';

export const putSchedule: Maker = (model, dice, cast) => {
  const call = byMember(model, dice, cast, 'member');
  if (!call) return undefined;
  const schedule = { day: 1 + dice.below(28), hour: dice.below(24) };
  return {
    caller: call.caller,
    method: 'PUT',
    path: `${call.base}/schedule`,
    body: schedule,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      succeeded(reply, 200);
      call.workspace(now).schedule = schedule;
      call.organization(now).audited.push('run_schedule.set');
    },
  };
};

export const removeSchedule: Maker = (model, dice, cast) => {
  const call = byMember(model, dice, cast, 'member');
  if (!call) return undefined;
  return {
    caller: call.caller,
    method: 'DELETE',
    path: `${call.base}/schedule`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      if (call.workspace(now).schedule === null) return void refused(reply, NOT_FOUND);
      succeeded(reply, 204);
      call.workspace(now).schedule = null;
      call.organization(now).audited.push('run_schedule.removed');
    },
  };
};

export const readSchedule: Maker = (model, dice, cast) => {
  const call = byMember(model, dice, cast, 'viewer');
  if (!call) return undefined;
  return {
    caller: call.caller,
    method: 'GET',
    path: `${call.base}/schedule`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const { schedule } = call.workspace(now);
      if (schedule === null) return void refused(reply, NOT_FOUND);
      succeeded(reply, 200);
      same([reply.body['day'], reply.body['hour']], [schedule.day, schedule.hour], 'schedule');
    },
  };
};
