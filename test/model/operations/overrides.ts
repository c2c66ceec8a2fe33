import { byMember } from '../admission.js';
import { findSeries } from '../model.js';
import { type Maker, NOT_FOUND, refused, same, succeeded } from '../operation.js';
import { pickSeries } from './demand.js';

/** The months that the runs of the sequences forecast. */
const MONTHS = ['2026-11', '2026-12'] as const;

export const putOverride: Maker = (model, dice, cast) => {
  const call = byMember(model, dice, cast, 'member');
  if (!call) return undefined;
  const name = pickSeries(model, dice, call.workspaceId);
  const month = dice.pick(MONTHS);
  const override = { kind: dice.pick(['absolute', 'delta', 'percent'] as const), value: dice.below(20) };
  return {
    caller: call.caller,
    method: 'PUT',
    path: `${call.base}/overrides`,
    body: { series_id: name, month, reason: 'a promotion', ...override },
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const series = findSeries(call.workspace(now), name);
      if (!series) return void refused(reply, NOT_FOUND);
      succeeded(reply, 200);
      same([reply.body['active'], reply.body['ended_at']], [true, null], 'override');
      series.overrides[month] = override;
      series.overridesPut += 1;
      call.organization(now).audited.push('override.set');
    },
  };
};

export const removeOverride: Maker = (model, dice, cast) => {
  const call = byMember(model, dice, cast, 'member');
  if (!call) return undefined;
  const name = pickSeries(model, dice, call.workspaceId);
  const month = dice.pick(MONTHS);
  return {
    caller: call.caller,
    method: 'DELETE',
    path: `${call.base}/overrides?series_id=${encodeURIComponent(name)}&month=${month}`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const series = findSeries(call.workspace(now), name);
      if (series?.overrides[month] === undefined) return void refused(reply, NOT_FOUND);
      succeeded(reply, 204);
      delete series.overrides[month];
      call.organization(now).audited.push('override.removed');
    },
  };
};
