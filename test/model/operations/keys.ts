import { PLANS } from '../../../config/plans.js';
import { byUser, pickWorkspaceId, type UserCall } from '../admission.js';
import type { Dice } from '../dice.js';
import type { Key, Model } from '../model.js';
import { idIn, type Maker, must, NOT_FOUND, type Operation, refused, same, succeeded } from '../operation.js';
import { type Item, items, type Reply } from '../world.js';

const RANGES = { none: [], here: ['127.0.0.0/8', '::1/128'], elsewhere: ['203.0.113.0/24'] } as const;

/** Mostly one of the newest of the organization. */
function pickKey(model: Model, dice: Dice, call: UserCall): string {
  const organization = dice.once(10) ? dice.pick(model.organizations) : call.organization(model);
  return dice.pickOf(organization.keys.slice(-4))?.id ?? 'nonsense';
}

/** The judge of a call about one key. */
const aboutKey =
  (call: UserCall, id: string, judge: (key: Key, now: Model, reply: Reply) => void): Operation['judge'] =>
  (now, reply) => {
    if (refused(reply, call.refusal(now))) return;
    const key = call.organization(now).keys.find((candidate) => candidate.id === id);
    if (!key) return void refused(reply, NOT_FOUND);
    judge(key, now, reply);
  };

export const createKey: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const workspaceId = dice.once(2) ? pickWorkspaceId(model, dice, call.organization(model)) : undefined;
  const name = `${call.organization(model).marker} key ${dice.below(100)}`;
  return {
    caller: call.caller,
    method: 'POST',
    path: `${call.path}/api-keys`,
    body: { name, ...(workspaceId !== undefined && { workspace_id: workspaceId }) },
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const { plan, keys, workspaces, audited } = call.organization(now);
      const used = keys.filter(({ state }) => state === 'active').length;
      if (used >= PLANS[plan].api_keys) {
        refused(reply, [409, 'plan_limit_reached']);
        return same([reply.body['limit'], reply.body['used']], [PLANS[plan].api_keys, used], 'limit');
      }
      const isThere = workspaceId === undefined || workspaces.some(({ id }) => id === workspaceId);
      if (!isThere) return void refused(reply, NOT_FOUND);
      succeeded(reply, 201);
      const issued = { id: idIn(reply), plaintext: String(reply.body['api_key']), workspaceId: workspaceId ?? null };
      keys.push({ ...issued, name, allowlist: 'none', state: 'active', replies: {} });
      audited.push('api_key.created');
    },
  };
};

export const changeKey: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const id = pickKey(model, dice, call);
  const allowlist = dice.pick(['none', 'here', 'elsewhere'] as const);
  const name = dice.once(2) ? `${call.organization(model).marker} key ${dice.below(100)}` : undefined;
  return {
    caller: call.caller,
    method: 'PATCH',
    path: `${call.path}/api-keys/${id}`,
    body: { ip_allowlist: RANGES[allowlist], ...(name !== undefined && { name }) },
    judge: aboutKey(call, id, (key, now, reply) => {
      succeeded(reply, 200);
      const changes = key.allowlist !== allowlist || (name !== undefined && key.name !== name);
      if (changes) call.organization(now).audited.push('api_key.changed');
      key.name = name ?? key.name;
      key.allowlist = allowlist;
      sameKey(reply.body, key);
    }),
  };
};

export const rotateKey: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const id = pickKey(model, dice, call);
  const grace = dice.pick(['0', '1h']);
  return {
    caller: call.caller,
    method: 'POST',
    path: `${call.path}/api-keys/${id}/rotate`,
    body: { grace_period: grace },
    judge: aboutKey(call, id, (key, now, reply) => {
      if (key.state !== 'active') return void refused(reply, [409, 'api_key_not_active']);
      const { plan, keys, audited } = call.organization(now);
      const superseded = keys.filter(({ state }) => state === 'superseded').length;
      if (grace !== '0' && superseded >= PLANS[plan].api_keys) {
        return void refused(reply, [409, 'plan_limit_reached']);
      }
      succeeded(reply, 201);
      keys.push({ ...key, id: idIn(reply), plaintext: String(reply.body['api_key']), replies: {} });
      key.state = grace === '0' ? 'expired' : 'superseded';
      audited.push('api_key.rotated');
    }),
  };
};

export const revokeKey: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  const id = pickKey(model, dice, call);
  return {
    caller: call.caller,
    method: 'DELETE',
    path: `${call.path}/api-keys/${id}`,
    judge: aboutKey(call, id, (key, now, reply) => {
      succeeded(reply, 204);
      if (key.state === 'revoked') return;
      key.state = 'revoked';
      call.organization(now).audited.push('api_key.revoked');
    }),
  };
};

export const listKeys: Maker = (model, dice, cast) => {
  const call = byUser(model, dice, cast, 'admin');
  return {
    caller: call.caller,
    method: 'GET',
    path: `${call.path}/api-keys?limit=100`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      succeeded(reply, 200);
      const { keys } = call.organization(now);
      must(items(reply).length === keys.length, `${items(reply).length} keys, not ${keys.length}`);
      for (const key of keys) sameKey(items(reply).find(({ id }) => id === key.id) ?? {}, key);
    },
  };
};

function sameKey(returned: Item, key: Key): void {
  const { id, name, workspace_id: workspaceId, state, ip_allowlist: ranges } = returned;
  same(
    { id, name, workspaceId, state, ranges: (ranges as unknown[] | undefined)?.length },
    {
      id: key.id,
      name: key.name,
      workspaceId: key.workspaceId,
      state: key.state,
      ranges: RANGES[key.allowlist].length,
    },
    'key',
  );
}
