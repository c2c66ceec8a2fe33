import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessCleaner } from '../../src/access/access-cleaner.js';
import { markUnreadableApiKeys } from '../../src/access/api-keys/api-keys.queries.js';
import { pagesOf } from '../support/api.js';
import { fillDisk } from '../support/full-disk.js';
import { AppClient } from '../support/app-client.js';
import { createApiKey, createMember, createSession, createTenant, createUser } from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { moveToPlan } from '../support/move-to-plan.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface Key {
  id: string;
  state: string;
  api_key: string;
  successor_id: string | null;
  created_at: string;
  expires_at: string | null;
  code: string;
}

describe('API key management', () => {
  let service: TestService;
  let operator: AppClient;
  beforeAll(async () => {
    service = await startTestService();
    const user = await createUser(service.database, { isOperator: true });
    operator = new AppClient(service.url, await createSession(service.database, user.id));
  });
  afterAll(() => service.close());

  async function organization() {
    const tenant = await createTenant(service);
    await service.database.execute('DELETE FROM api_keys WHERE organization_id = $1', [tenant.organizationId]);
    const { token, ...user } = await createMember(service.database, tenant.organizationId, 'admin');
    const admin = new AppClient(service.url, token);
    const keys = `/orgs/${tenant.organizationId}/api-keys`;
    return {
      ...tenant,
      user,
      admin,
      keys,
      create: (body: object = {}) => admin.post<Key>(keys, { name: 'ERP', ...body }),
    };
  }
  const use = async (key: string) =>
    (await fetch(`${service.url}/api/v1/usage`, { headers: { 'x-api-key': key } })).status;

  it('creates a working key and shows it once', async () => {
    const { user, admin, keys, create, workspaceId } = await organization();
    const made = await create({ workspace_id: workspaceId, ip_allowlist: ['127.0.0.1', '::1'] });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      state: 'active',
      created_by: user.id,
      created_by_email: user.email,
      workspace_id: workspaceId,
      ip_allowlist: ['127.0.0.1/32', '::1/128'],
    });
    expect(made.headers.get('location')).toBe(`${keys}/${made.body.id}`);
    expect(await use(made.body.api_key)).toBe(200);
    for (const path of [keys, `${keys}/${made.body.id}`]) {
      const reply = await admin.get(path);
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain(made.body.api_key);
      expect(reply.text).toContain(made.body.api_key.slice(-4));
    }
  });

  it('also locks the successor of a key that is being rotated while the plan is downgraded', async () => {
    const { admin, keys, create, organizationId } = await organization();
    const { body } = await create();
    await using chain = await holdRows(
      service.database,
      'SELECT FROM audit_heads WHERE organization_id = $1 FOR UPDATE',
      [organizationId],
    );
    const rotated = admin.post<Key>(`${keys}/${body.id}/rotate`, { grace_period: '1h' });
    await chain.untilAwaitedBy(1);
    const lowered = moveToPlan(service, organizationId, 'free');
    await chain.untilAwaitedBy(2);
    await chain.release();
    expect((await rotated).status).toBe(201);
    expect(await lowered).toEqual({ locked: 2, unlocked: 0 });
    const { body: all } = await admin.get<Key[]>(keys);
    expect(all.map(({ state }) => state)).toEqual(['locked', 'locked']);
  });

  it('makes the rotation of a key wait for a plan change that affects it', async () => {
    const { admin, keys, create, organizationId } = await organization();
    const [first, second] = [(await create()).body, (await create()).body];
    await using held = await holdRows(service.database, 'SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [first.id]);
    const lowered = moveToPlan(service, organizationId, 'free');
    await held.untilAwaitedBy(1);
    const rotated = admin.post<Key>(`${keys}/${second.id}/rotate`, { grace_period: '1h' });
    await held.untilAwaitedBy(2);
    await held.release();
    expect(await lowered).toEqual({ locked: 2, unlocked: 0 });
    expect(await rotated).toMatchObject({ status: 409, body: { code: 'api_key_not_active' } });
  });

  it('locks keys in the same order for a plan change and for the removal of their workspace', async () => {
    const { admin, create, organizationId, workspaceId } = await organization();
    const key = async () => (await create({ workspace_id: workspaceId })).body.id;
    const others = [await key(), await key(), await key()];
    // the row stored last has the lowest id: locking in storage order would lock the others before it
    const first = '00000000-0000-7000-8000-000000000001';
    await service.database.execute('UPDATE api_keys SET id = $1 WHERE id = $2', [first, await key()]);
    const isFree = (id: string | undefined) =>
      service.database.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE NOWAIT', [id]);
    await using held = await holdRows(service.database, 'SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [first]);
    const lowered = moveToPlan(service, organizationId, 'free');
    await held.untilAwaitedBy(1);
    await Promise.all(others.map(isFree));
    const removed = admin.delete(`/orgs/${organizationId}/workspaces/${workspaceId}`);
    await held.untilAwaitedBy(2);
    await Promise.all(others.map(isFree));
    await held.release();
    expect(await lowered).toEqual({ locked: 4, unlocked: 0 });
    expect((await removed).status).toBe(204);
  });

  it('revokes a key at once while a workspace is being removed with its keys', async () => {
    const { admin, keys, create, organizationId, workspaceId } = await organization();
    const bound = (await create({ workspace_id: workspaceId })).body.id;
    const locked = (await create({ workspace_id: workspaceId })).body.id;
    const leaked = (await create()).body;
    // by a lower plan; it fits again as soon as another is revoked
    await service.database.execute('UPDATE api_keys SET locked_at = now() WHERE id = $1', [locked]);
    // what the removal of the workspace holds to its end
    await using held = await holdRows(service.database, 'SELECT FROM api_keys WHERE id = ANY ($1) FOR UPDATE', [
      [bound, locked],
    ]);
    expect((await admin.delete(`${keys}/${leaked.id}`)).status).toBe(204);
    expect((await admin.patch(`/orgs/${organizationId}`, { name: 'Renamed' })).status).toBe(200);
    await held.release();
    await service.app.get(AccessCleaner).clean();
    expect((await admin.get<Key>(`${keys}/${locked}`)).body.state).toBe('active');
  });

  it('creates a key without waiting for the removal of a workspace, and none for that workspace', async () => {
    const { admin, create, organizationId, workspaceId } = await organization();
    await using removal = await holdRows(service.database, 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [
      workspaceId,
    ]);
    expect((await create({ workspace_id: workspaceId })).status).toBe(404);
    expect((await create()).status).toBe(201);
    expect((await admin.patch(`/orgs/${organizationId}`, { name: 'Renamed' })).status).toBe(200);
    await removal.release();
  });

  it('does not wait for a key locked by a workspace removal, and counts it as gone', async () => {
    const { admin, keys, create, organizationId, workspaceId } = await organization();
    const { id } = (await create({ workspace_id: workspaceId })).body;
    await using removal = await holdRows(service.database, 'SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [id]);
    const replies = [
      await admin.delete(`${keys}/${id}`),
      await admin.patch(`${keys}/${id}`, { name: 'Renamed' }),
      await admin.post(`${keys}/${id}/rotate`, { grace_period: '0' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await admin.patch(`/orgs/${organizationId}`, { name: 'Renamed' })).status).toBe(200);
    await removal.release();
    expect((await admin.delete(`${keys}/${id}`)).status).toBe(204);
  });

  it('revokes a key whose row is briefly locked, for example by its use', async () => {
    const { admin, keys, create } = await organization();
    const { id } = (await create()).body;
    await using use = await holdRows(service.database, 'SELECT FROM api_keys WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const revoked = admin.delete(`${keys}/${id}`);
    await use.untilAwaitedBy(1);
    await use.release();
    expect((await revoked).status).toBe(204);
  });

  it('revokes a key at once, and for good', async () => {
    const { admin, keys, create } = await organization();
    const { body } = await create();
    expect(await use(body.api_key)).toBe(200);
    expect((await admin.delete(`${keys}/${body.id}`)).status).toBe(204);
    expect(await use(body.api_key)).toBe(401);
    expect((await admin.delete(`${keys}/${body.id}`)).status).toBe(204);
  });

  it('revokes a key whose id is in upper case', async () => {
    const { admin, keys, create } = await organization();
    const { body } = await create();
    expect((await admin.delete(`${keys}/${body.id.toUpperCase()}`)).status).toBe(204);
    expect(await use(body.api_key)).toBe(401);
  });

  it('narrows the allowlist of one key, and shows beforehand who would pass', async () => {
    const { admin, keys, create } = await organization();
    const [{ body }, { body: other }] = [await create(), await create({ name: 'BI' })];
    expect(await use(body.api_key)).toBe(200);
    const check = (payload: object) => admin.post(`${keys}/check-address`, payload);
    expect((await check({ ip_allowlist: ['192.0.2.0/24'] })).body).toEqual({
      address: '127.0.0.1',
      ip_allowlist: ['192.0.2.0/24'],
      passes: false,
    });
    expect((await check({ ip_allowlist: ['2001:db8::/32'], address: '2001:db8::7' })).body['passes']).toBe(true);
    expect((await check({ ip_allowlist: [], address: 'home' })).status).toBe(400);
    expect((await admin.patch(`${keys}/${body.id}`, { ip_allowlist: ['192.0.2.0/24'] })).status).toBe(200);
    expect([await use(body.api_key), await use(other.api_key)]).toEqual([403, 200]);
    expect((await admin.get(`${keys}/${other.id}`)).body).toMatchObject({ name: 'BI', ip_allowlist: [] });
  });

  it('narrows the organization’s allowlist', async () => {
    const { organizationId, admin, create } = await organization();
    const { body } = await create();
    expect(await use(body.api_key)).toBe(200);
    const allow = (ip_allowlist: string[]) => admin.patch(`/orgs/${organizationId}`, { ip_allowlist });
    expect((await allow(['10.0.0.0/33'])).body).toMatchObject({ status: 400, errors: [{ param: 'ip_allowlist' }] });
    expect((await allow(['192.0.2.0/24'])).status).toBe(200);
    expect(await use(body.api_key)).toBe(403);
    await allow([]);
    expect(await use(body.api_key)).toBe(200);
  });

  it('rotates: the successor works at once, the old key until its grace period ends', async () => {
    const { admin, keys, create } = await organization();
    const [{ body: old }, { body: other }] = [await create(), await create()];
    const rotated = await admin.post<Key>(`${keys}/${old.id}/rotate`, { grace_period: '1h' });
    expect([rotated.status, rotated.headers.get('location')]).toEqual([201, `${keys}/${rotated.body.id}`]);
    expect([await use(old.api_key), await use(rotated.body.api_key)]).toEqual([200, 200]);
    expect((await admin.get<Key>(`${keys}/${old.id}`)).body).toMatchObject({
      state: 'superseded',
      successor_id: rotated.body.id,
    });
    expect((await admin.post<Key>(`${keys}/${old.id}/rotate`, { grace_period: '0' })).body.code).toBe(
      'api_key_not_active',
    );
    const again = await admin.post<Key>(`${keys}/${rotated.body.id}/rotate`, { grace_period: '0' });
    expect([await use(rotated.body.api_key), await use(again.body.api_key)]).toEqual([401, 200]);
    expect((await admin.get<Key>(`${keys}/${other.id}`)).body).toMatchObject({ state: 'active', expires_at: null });
    expect((await admin.post(`${keys}/${again.body.id}/rotate`, { grace_period: '2h' })).status).toBe(400);
    // a number is what comes to mind first
    expect(
      (await admin.post<{ detail: string }>(`${keys}/${again.body.id}/rotate`, { grace_period: 0 })).body,
    ).toMatchObject({ code: 'invalid_request', detail: 'grace_period: must be the string "0"' });
  });

  it('gives the successor the name, the workspace and the allowlist of the old key, and no more access', async () => {
    const { workspaceId, admin, keys, create } = await organization();
    const wanted = { name: 'Warehouse', workspace_id: workspaceId, ip_allowlist: ['192.0.2.0/24'] };
    const { body: old } = await create(wanted);
    const { body: next } = await admin.post<Key>(`${keys}/${old.id}/rotate`, { grace_period: '0' });
    expect(next).toMatchObject(wanted);
    expect(await use(next.api_key)).toBe(403);
  });

  it('gives the successor of an expiring key the same lifetime, or the requested one', async () => {
    const { admin, keys, create } = await organization();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const lifeOf = (key: Key) => Date.parse(key.expires_at!) - Date.parse(key.created_at);
    const { body: old } = await create({ expires_at: inDays(90) });
    const aged = `UPDATE api_keys SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval WHERE id = $1`;
    await service.database.execute(aged, [old.id, '89 days']); // it ends tomorrow
    const rotate = (id: string, wanted: object) => admin.post<Key>(`${keys}/${id}/rotate`, wanted);
    const { body: next } = await rotate(old.id, { grace_period: '7d' });
    expect(lifeOf(next)).toBe(lifeOf(old));
    // the grace period does not give the old key a longer life
    expect((await admin.get<Key>(`${keys}/${old.id}`)).body.expires_at! < inDays(2).toISOString()).toBe(true);

    const end = inDays(30).toISOString();
    const { body: asked } = await rotate(next.id, { grace_period: '0', expires_at: end });
    expect(asked.expires_at).toBe(end);
    const { body: endless } = await create();
    expect((await rotate(endless.id, { grace_period: '0', expires_at: inDays(-1) })).body).toMatchObject({
      status: 400,
      errors: [{ param: 'expires_at', message: 'must be in the future' }],
    });
    const { body: lasting } = await rotate(endless.id, { grace_period: '0' });
    expect(lasting.expires_at).toBeNull();
    const { body: longest } = await create({ expires_at: '9999-12-31T23:59:59.999Z' });
    expect((await rotate(longest.id, { grace_period: '0' })).body.expires_at).toBe('9999-12-31T23:59:59.999Z');
  });

  it.each([
    ['has left', 404, 'DELETE FROM memberships WHERE user_id = $1'],
    ['is no longer an admin', 403, `UPDATE memberships SET role = 'member' WHERE user_id = $1`],
  ])('issues no key to someone who %s since requesting it', async (_what, status, leaving) => {
    const { organizationId, user, admin, keys, create } = await organization();
    const { body: known } = await create();
    await using held = await holdRows(service.database, 'SELECT FROM organizations WHERE id = $1 FOR UPDATE', [
      organizationId,
    ]);
    const asked = [create(), admin.post(`${keys}/${known.id}/rotate`, { grace_period: '0' })];
    await held.untilAwaitedBy(2);
    await held.release((tx) => tx.execute(leaving, [user.id]));
    expect((await Promise.all(asked)).map((reply) => reply.status)).toEqual([status, status]);
    expect(
      await service.database.query('SELECT id FROM api_keys WHERE organization_id = $1', [organizationId]),
    ).toEqual([{ id: known.id }]);
  });

  it('rotates once when asked twice concurrently', async () => {
    const { admin, keys, create } = await organization();
    const { body } = await create();
    const replies = await Promise.all(
      [1, 2, 3].map(() => admin.post(`${keys}/${body.id}/rotate`, { grace_period: '24h' })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409]);
  });

  it('allows as many keys as the plan does, not counting rotated ones', async () => {
    const { admin, keys, create } = await organization();
    const replies = await Promise.all(Array.from({ length: 8 }, () => create()));
    const made = replies.filter((reply) => reply.status === 201);
    expect(made).toHaveLength(5);
    expect((await create()).body).toMatchObject({
      code: 'plan_limit_reached',
      detail: 'The growth plan allows 5 API keys; revoke one, or raise the plan.',
      limit: 5,
      used: 5,
    });
    expect((await admin.post(`${keys}/${made[0]!.body.id}/rotate`, { grace_period: '7d' })).status).toBe(201);
    await admin.delete(`${keys}/${made[1]!.body.id}`);
    expect([(await create()).status, (await create()).status]).toEqual([201, 409]);
  });

  it('lists keys newest first, in pages, including those no longer valid', async () => {
    const { admin, keys, create } = await organization();
    const made = [(await create()).body, (await create()).body, (await create()).body];
    await admin.delete(`${keys}/${made[1]!.id}`);
    const listed: Key[][] = [];
    for await (const page of pagesOf<Key[]>(admin, `${keys}?limit=2`)) listed.push(page);
    const ids = made.map(({ id }) => id).reverse();
    expect(listed.map((page) => page.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(listed.flat().map(({ state }) => state)).toEqual(['active', 'revoked', 'active']);
    expect((await admin.get(`${keys}?limit=0`)).body).toMatchObject({ status: 400, errors: [{ param: 'limit' }] });
  });

  it('locks all but the most recently used keys on downgrade, and unlocks them on upgrade', async () => {
    const { organizationId, admin, create } = await organization();
    const made = [(await create()).body, (await create()).body, (await create()).body];
    await service.database.execute(`UPDATE api_keys SET last_used_at = now() WHERE id = $1`, [made[1]!.id]);
    const { body: elsewhere } = await (await organization()).create();
    const plan = (name: string) => operator.patch(`/admin/orgs/${organizationId}`, { plan: name });
    expect((await plan('starter')).body).toMatchObject({ plan: 'starter', keys_locked: 2, keys_unlocked: 0 });
    expect(await use(elsewhere.api_key)).toBe(200);
    const codes = await Promise.all(
      made.map(async ({ api_key }) => {
        const reply = await fetch(`${service.url}/api/v1/usage`, { headers: { 'x-api-key': api_key } });
        return ((await reply.json()) as Key).code;
      }),
    );
    expect(codes).toEqual(['api_key_locked', 'plan_not_eligible', 'api_key_locked']);
    expect((await plan('growth')).body).toMatchObject({ keys_locked: 0, keys_unlocked: 2 });
    expect(await Promise.all(made.map(({ api_key }) => use(api_key)))).toEqual([200, 200, 200]);
    const log = `/orgs/${organizationId}/audit-log?action=plan.changed`;
    const recorded = (await admin.get<{ details: Record<string, unknown> }[]>(log)).body.map(({ details }) => details);
    const others = expect.arrayContaining([made[0]!.id, made[2]!.id]);
    expect(recorded).toMatchObject([
      { to: 'growth', keys_unlocked: 2, unlocked_key_ids: others },
      { to: 'starter', keys_locked: 2, locked_key_ids: others, unlocked_key_ids: [] },
    ]);
    expect((await plan('gold')).body).toMatchObject({ status: 400, errors: [{ param: 'plan' }] });
  });

  it('unlocks the most recently used locked key in place of a revoked one', async () => {
    const { organizationId, admin, keys, create } = await organization();
    const made = [(await create()).body, (await create()).body, (await create()).body, (await create()).body];
    const used = `UPDATE api_keys SET last_used_at = now() - $2 * interval '1 day' WHERE id = $1`;
    for (const [index, days] of [3, 1, 2].entries()) await service.database.execute(used, [made[index]!.id, days]);
    const states = async (): Promise<string[]> => {
      const all = new Map((await admin.get<Key[]>(keys)).body.map(({ id, state }) => [id, state]));
      return made.map(({ id }) => all.get(id)!);
    };
    expect((await operator.patch(`/admin/orgs/${organizationId}`, { plan: 'starter' })).body).toMatchObject({
      keys_locked: 3,
    });
    expect(await states()).toEqual(['locked', 'active', 'locked', 'locked']);
    // one that is locked leaves the open one as it is
    await admin.delete(`${keys}/${made[3]!.id}`);
    expect(await states()).toEqual(['locked', 'active', 'locked', 'revoked']);
    await admin.delete(`${keys}/${made[1]!.id}`);
    expect(await states()).toEqual(['locked', 'revoked', 'active', 'revoked']);
    const [latest] = (await admin.get<{ action: string; details: unknown }[]>(`/orgs/${organizationId}/audit-log`))
      .body;
    expect(latest).toMatchObject({
      action: 'api_key.revoked',
      details: { keys_unlocked: 1, unlocked_key_ids: [made[2]!.id] },
    });
    await admin.delete(`${keys}/${made[1]!.id}`);
    expect(await states()).toEqual(['locked', 'revoked', 'active', 'revoked']);
  });

  it('leaves all other open keys open when one is revoked', async () => {
    const { organizationId, admin, keys } = await organization();
    for (let index = 0; index < 7; index++) await createApiKey(service, organizationId);
    const [last] = (await admin.get<Key[]>(keys)).body;
    await admin.delete(`${keys}/${last!.id}`);
    const left = (await admin.get<Key[]>(keys)).body.map(({ state }) => state);
    expect(left).toEqual(['revoked', ...Array<string>(6).fill('active')]);
  });

  it('keeps as many rotated keys working as the plan allows, and rotates further ones without a grace period', async () => {
    const { organizationId, admin, keys, create } = await organization();
    let last = (await create()).body;
    const rotate = (grace_period: string) => admin.post<Key>(`${keys}/${last.id}/rotate`, { grace_period });
    for (let rotated = 0; rotated < 5; rotated += 1) last = (await rotate('7d')).body;
    expect(await rotate('1h')).toMatchObject({
      status: 409,
      body: {
        code: 'plan_limit_reached',
        detail: expect.stringMatching(/5 API keys in a grace period/),
        limit: 5,
        used: 5,
      },
    });
    last = (await rotate('0')).body;
    const ends = `UPDATE api_keys SET expires_at = now() WHERE organization_id = $1 AND successor_id IS NOT NULL`;
    await service.database.execute(ends, [organizationId]);
    expect((await rotate('1h')).status).toBe(201);
  });

  it('locks a rotated key in its grace period together with its successor, as one key with their latest use', async () => {
    const { organizationId, admin, keys, create } = await organization();
    const [busy, idle] = [(await create()).body, (await create()).body];
    const rotate = async (key: Key) => (await admin.post<Key>(`${keys}/${key.id}/rotate`, { grace_period: '7d' })).body;
    const [busyNext, idleNext] = [await rotate(busy), await rotate(idle)];
    const used = `UPDATE api_keys SET last_used_at = now() - $2 * interval '1 day' WHERE id = $1`;
    await service.database.execute(used, [busy.id, 1]);
    await service.database.execute(used, [idleNext.id, 2]);
    const plan = (name: string) => operator.patch(`/admin/orgs/${organizationId}`, { plan: name });
    expect((await plan('starter')).body).toMatchObject({ keys_locked: 2, keys_unlocked: 0 });
    const states = new Map((await admin.get<Key[]>(keys)).body.map(({ id, state }) => [id, state]));
    expect([busy, busyNext, idle, idleNext].map(({ id }) => states.get(id))).toEqual([
      'superseded',
      'active',
      'locked',
      'locked',
    ]);
    expect((await plan('growth')).body).toMatchObject({ keys_locked: 0, keys_unlocked: 2 });
    expect(await Promise.all([idle, idleNext].map(({ api_key }) => use(api_key)))).toEqual([200, 200]);
  });

  /** Leaves the organization in a plan for one key, with those locked that a change to it would have left so. */
  async function lower(organizationId: string, locked: Key[]) {
    await service.database.execute(`UPDATE organizations SET plan = 'starter' WHERE id = $1`, [organizationId]);
    const ids = locked.map(({ id }) => id);
    await service.database.execute('UPDATE api_keys SET locked_at = now() WHERE id = ANY ($1)', [ids]);
  }
  /** A key locked by a lower plan, in an organization that has one for its workspace only as well. */
  async function keyBesideThatOfAWorkspace() {
    const tenant = await organization();
    const { organizationId, workspaceId, admin, create } = tenant;
    await create({ workspace_id: workspaceId });
    const { body: other } = await create();
    await lower(organizationId, [other]);
    return { tenant, other, remove: () => admin.delete(`/orgs/${organizationId}/workspaces/${workspaceId}`) };
  }
  async function statesOf({ admin, keys }: { admin: AppClient; keys: string }, which: Key[]) {
    const states = new Map((await admin.get<Key[]>(keys)).body.map(({ id, state }) => [id, state]));
    return which.map(({ id }) => states.get(id));
  }
  const newestEvent = async ({ admin, organizationId }: { admin: AppClient; organizationId: string }) =>
    (await admin.get<Record<string, unknown>[]>(`/orgs/${organizationId}/audit-log`)).body[0];

  it('gives the place of a revoked key to a locked one although the key it succeeded is in its grace period', async () => {
    const tenant = await organization();
    const { admin, keys, create, organizationId } = tenant;
    const [old, other] = [(await create()).body, (await create()).body];
    const next = (await admin.post<Key>(`${keys}/${old.id}/rotate`, { grace_period: '7d' })).body;
    await lower(organizationId, [other]);
    await admin.delete(`${keys}/${next.id}`);
    expect(await statesOf(tenant, [old, next, other])).toEqual(['superseded', 'revoked', 'active']);
  });

  it('revokes a key after any number of ended predecessors, and the successor of one in its grace period across all of them', async () => {
    const tenant = await organization();
    const { admin, keys, create, organizationId } = tenant;
    const [old, locked] = [(await create()).body, (await create()).body];
    const last = (await admin.post<Key>(`${keys}/${old.id}/rotate`, { grace_period: '7d' })).body;
    const between = 25_000; // rotated again and again with grace_period 0
    const id = `('00000000-0000-7000-8000-' || lpad(step::text, 12, '0'))::uuid`;
    await service.database.execute(
      `INSERT INTO api_keys (id, organization_id, name, hash, prefix, last_four, ip_allowlist, expires_at, successor_id, created_at)
       SELECT ${id}, $1, 'ERP', sha256(step::text::bytea), 'fk_0000', '0000', '{}', now(), $2, now()
       FROM generate_series(1, ${between}) step`,
      [organizationId, last.id],
    );
    await service.database.execute(
      `UPDATE api_keys SET successor_id = ${id} FROM generate_series(2, ${between}) step
       WHERE id = ${id.replace('step', '(step - 1)')}`,
    );
    const first = '00000000-0000-7000-8000-000000000001';
    await service.database.execute('UPDATE api_keys SET successor_id = $2 WHERE id = $1', [old.id, first]);
    await lower(organizationId, [locked]);
    expect((await admin.delete(`${keys}/${last.id}`)).status).toBe(204);
    const states = await Promise.all([old, last, locked].map(({ id }) => admin.get<Key>(`${keys}/${id}`)));
    expect(states.map(({ body }) => body.state)).toEqual(['superseded', 'revoked', 'active']);
    await service.database.execute('DELETE FROM api_keys WHERE organization_id = $1', [organizationId]);
  });

  it('locks a rotated key whose successor is revoked before any other, however recently it was used', async () => {
    const tenant = await organization();
    const { organizationId, admin, keys, create } = tenant;
    const [old, other] = [(await create()).body, (await create()).body];
    const next = (await admin.post<Key>(`${keys}/${old.id}/rotate`, { grace_period: '7d' })).body;
    await admin.delete(`${keys}/${next.id}`);
    await service.database.execute('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [old.id]);
    await operator.patch(`/admin/orgs/${organizationId}`, { plan: 'starter' });
    expect(await statesOf(tenant, [old, other])).toEqual(['locked', 'active']);
  });

  it('locks no key because another is revoked', async () => {
    const tenant = await organization();
    const { organizationId, admin, keys, create } = tenant;
    const [locked, revoked, ...open] = [
      (await create()).body,
      (await create()).body,
      (await create()).body,
      (await create()).body,
    ] as const;
    await lower(organizationId, [locked]);
    // a use is recorded after the response, and so possibly after the lock
    await service.database.execute('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [locked.id]);
    await admin.delete(`${keys}/${revoked.id}`);
    expect(await statesOf(tenant, [locked, ...open])).toEqual(['locked', 'active', 'active']);
  });

  it('gives the place of an expired key to the most recently used locked one, and logs it', async () => {
    const tenant = await organization();
    const { organizationId, create } = tenant;
    const [expired, idle, busy] = [(await create()).body, (await create()).body, (await create()).body];
    await lower(organizationId, [idle, busy]);
    const set = (key: Key, column: string, ago: string) =>
      service.database.execute(`UPDATE api_keys SET ${column} = now() - $2::interval WHERE id = $1`, [key.id, ago]);
    await set(busy, 'last_used_at', '1 day');
    await set(idle, 'last_used_at', '2 days');
    await set(expired, 'expires_at', '1 minute');
    await service.app.get(AccessCleaner).clean();
    expect(await statesOf(tenant, [expired, idle, busy])).toEqual(['expired', 'locked', 'active']);
    expect(await newestEvent(tenant)).toMatchObject({
      action: 'api_key.unlocked',
      actor: { kind: 'system' },
      target: { kind: 'organization', id: organizationId },
      details: { keys_unlocked: 1, unlocked_key_ids: [busy.id] },
    });
  });

  it('gives the place of an expired key to a locked one although the key it succeeded is in its grace period', async () => {
    const tenant = await organization();
    const { admin, keys, create, organizationId } = tenant;
    const [old, other] = [(await create()).body, (await create()).body];
    const next = (await admin.post<Key>(`${keys}/${old.id}/rotate`, { grace_period: '7d' })).body;
    await lower(organizationId, [other]);
    await service.database.execute(`UPDATE api_keys SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
      next.id,
    ]);
    await service.app.get(AccessCleaner).clean();
    expect(await statesOf(tenant, [old, next, other])).toEqual(['superseded', 'expired', 'active']);
  });

  it('gives the place of a key removed with its workspace to a locked one, and logs who removed the workspace', async () => {
    const { tenant, other, remove } = await keyBesideThatOfAWorkspace();
    expect((await remove()).status).toBe(204);
    expect(await statesOf(tenant, [other])).toEqual(['active']);
    expect(await newestEvent(tenant)).toMatchObject({
      action: 'api_key.unlocked',
      actor: { kind: 'user' },
      details: { keys_unlocked: 1 },
    });
  });

  it('deletes a workspace although the disk is too full to unlock another key, which is unlocked later', async () => {
    const { tenant, other, remove } = await keyBesideThatOfAWorkspace();
    const disk = await fillDisk(service.database, 'api_keys', `NEW.id = '${other.id}'`);
    const removed = await remove();
    await disk.makeRoom();
    expect(removed.status).toBe(204);
    await service.app.get(AccessCleaner).clean();
    expect(await statesOf(tenant, [other])).toEqual(['active']);
  });

  it('suspends and resumes an organization', async () => {
    const { organizationId, create } = await organization();
    const { body } = await create();
    const suspend = (suspended: boolean) =>
      operator.patch(`/admin/orgs/${organizationId}`, { suspended, reason: 'unpaid' });
    const ofAPlan = await operator.patch(`/admin/orgs/${organizationId}`, { plan: 'growth', reason: 'unpaid' });
    expect(ofAPlan.body).toMatchObject({ status: 400, errors: [{ param: 'reason' }] });
    expect((await suspend(true)).body).toMatchObject({ suspension_reason: 'unpaid', suspended_at: expect.any(String) });
    expect(await use(body.api_key)).toBe(403);
    expect((await suspend(false)).body['suspended_at']).toBeNull();
    expect(await use(body.api_key)).toBe(200);
  });

  it('switches the public API off and on, recording who and why', async () => {
    const { create } = await organization();
    const { body } = await create();
    const flag = (enabled: boolean) =>
      operator.put('/admin/flags/disable_public_api', { enabled, reason: 'database upgrade' });
    expect((await flag(true)).body).toMatchObject({
      enabled: true,
      reason: 'database upgrade',
      changed_by: expect.stringContaining('@'),
    });
    expect(await use(body.api_key)).toBe(503);
    await flag(false);
    expect(await use(body.api_key)).toBe(200);
    expect((await operator.get<{ name: string }[]>('/admin/flags')).body.map((row) => row.name)).toEqual([
      'disable_public_api',
    ]);
    expect((await operator.put('/admin/flags/no_such_flag', { enabled: true, reason: 'x' })).status).toBe(404);
  });

  it('switches a flag without a reason, and records nothing if the flag is already so', async () => {
    const flag = (body: object) => operator.put('/admin/flags/disable_public_api', body);
    const newest = async () =>
      (await operator.get<{ sequence: number; details: object }[]>('/admin/audit-log?limit=1')).body[0]!;
    const { body: on } = await flag({ enabled: true, reason: 'upgrade' });
    const { sequence } = await newest();
    expect((await flag({ enabled: true, reason: 'upgrade' })).body).toEqual(on);
    expect((await newest()).sequence).toBe(sequence);
    expect((await flag({ enabled: false })).body).toMatchObject({ enabled: false, reason: null });
    expect(await newest()).toMatchObject({ sequence: sequence + 1, details: { enabled: false, reason: null } });
    expect((await flag({ enabled: false, reason: ' ' })).body).toMatchObject({ errors: [{ param: 'reason' }] });
  });

  it('is for operators only', async () => {
    const [{ organizationId, admin }] = [await organization(), await organization()];
    for (const reply of [
      await admin.get('/admin/orgs'),
      await admin.get('/admin/flags'),
      await admin.patch(`/admin/orgs/${organizationId}`, { plan: 'enterprise' }),
    ]) {
      expect(reply.body).toMatchObject({ status: 403, code: 'operator_required' });
    }
    expect((await new AppClient(service.url).get('/admin/orgs')).status).toBe(401);
    const page = await operator.get<{ id: string }[]>('/admin/orgs?limit=1');
    expect([page.body.length, page.headers.get('link')]).toEqual([1, expect.stringContaining('rel="next"')]);
    const listed: string[] = [];
    for await (const [organizationOfPage] of pagesOf<{ id: string }[]>(operator, '/admin/orgs?limit=1'))
      listed.push(organizationOfPage!.id);
    const ids = await service.database.query<{ id: string }>('SELECT id FROM organizations ORDER BY id DESC');
    expect(listed).toEqual(ids.map(({ id }) => id));
    expect((await operator.get('/admin/orgs?limit=0')).status).toBe(400);
  });

  it("does not reach another organization's keys", async () => {
    const [mine, foreign] = [await organization(), await organization()];
    const { body } = await foreign.create();
    expect((await mine.admin.get(`${mine.keys}/${body.id}`)).status).toBe(404);
    expect((await mine.admin.delete(`${mine.keys}/${body.id}`)).status).toBe(404);
    expect((await mine.admin.post(`${mine.keys}/${body.id}/rotate`, { grace_period: '0' })).status).toBe(404);
    expect((await mine.admin.patch(`${mine.keys}/${body.id}`, { name: 'mine' })).status).toBe(404);
    expect((await mine.admin.get(foreign.keys)).status).toBe(404);
    expect((await mine.create({ workspace_id: foreign.workspaceId })).status).toBe(404);
    expect(await use(body.api_key)).toBe(200);
  });

  it('reports what is wrong with a request for a key', async () => {
    const { create } = await organization();
    for (const [body, param] of [
      [{ name: '' }, 'name'],
      [{ ip_allowlist: ['10.0.0.0/33'] }, 'ip_allowlist'],
      [{ expires_at: 'tomorrow' }, 'expires_at'],
      [{ expires_at: '2020-01-01' }, 'expires_at'],
      [{ scope: 'all' }, 'scope'],
    ] as const) {
      expect((await create(body)).body).toMatchObject({ status: 400, errors: [{ param }] });
    }
  });

  it('reports a key whose pepper was replaced, and frees its place for a new one', async () => {
    const { admin, keys, create, organizationId } = await organization();
    const old = (await create()).body;
    for (let n = 1; n < 5; n += 1) await create();
    expect((await create()).status).toBe(409);
    await service.database.transaction((tx) => markUnreadableApiKeys(tx, Buffer.alloc(32, 1), Buffer.alloc(32, 2)));
    expect((await admin.get<Key>(`${keys}/${old.id}`)).body.state).toBe('unreadable');
    const rotated = await admin.post<Key>(`${keys}/${old.id}/rotate`, { grace_period: '1h' });
    expect([rotated.status, rotated.body.code]).toEqual([409, 'api_key_not_active']);
    const next = (await create()).body;
    const plan = (name: string) => operator.patch(`/admin/orgs/${organizationId}`, { plan: name });
    expect((await plan('starter')).body).toMatchObject({ keys_locked: 0 });
    expect((await admin.get<Key>(`${keys}/${next.id}`)).body.state).toBe('active');
    expect((await admin.delete(`${keys}/${old.id}`)).status).toBe(204);
    expect((await admin.get<Key>(`${keys}/${old.id}`)).body.state).toBe('revoked');
  });
});
