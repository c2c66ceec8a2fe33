import { describe, expect, it } from '@jest/globals';
import { Vault } from '../../src/connectors/credentials/vault.js';
import { AppClient } from '../support/app-client.js';
import { createMember } from '../support/builders.js';
import { connectedWorkspace } from './connected.js';
import { dayOf } from './past-months.js';

const SHOPIFY = { shop: 'example.myshopify.com', access_token: 'shpat_secret_token', client_secret: 'shpss_secret' };

describe('connectors of a workspace', () => {
  const workspace = connectedWorkspace({ role: 'api' }); // nothing is synced

  const stored = async (id: string): Promise<Record<string, string>> => {
    const [row] = await workspace.service.database.query<{ sealed: Buffer }>(
      'SELECT sealed FROM connectors WHERE id = $1',
      [id],
    );
    return { ...workspace.service.app.get(Vault).open({ connectorId: id, sealed: row!.sealed }).values };
  };

  it('are created, listed, read, changed and removed', async () => {
    const made = await workspace.post('', {
      platform: 'shopify',
      name: 'Shop DE',
      settings: SHOPIFY,
      time_zone: 'Europe/Berlin',
      counts_from: '2026-10-01',
      sync_interval_minutes: 15,
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      workspace_id: workspace.workspaceId,
      platform: 'shopify',
      name: 'Shop DE',
      settings: { shop: SHOPIFY.shop, access_token: '********', client_secret: '********', api_version: '2026-10' },
      time_zone: 'Europe/Berlin',
      counts_from: '2026-10-01',
      sync_interval_minutes: 15,
      enabled: true,
      needs_reconnect: false,
      reconnect_reason: null,
      webhook_url: null,
      last_synced_at: null,
    });
    const id = String(made.body['id']);
    expect(made.headers.get('location')).toBe(`${workspace.path}/${id}`);
    expect((await workspace.get(`/${id}`)).body).toEqual(made.body);
    const second = await workspace.connect('shopify', { ...SHOPIFY, shop: 'second.myshopify.com' });
    const list = await workspace.get<{ id: string }[]>();
    expect(list.body.map((connector) => connector.id)).toEqual([second, id]);
    const first = await workspace.get<{ id: string }[]>('?limit=1');
    expect(first.headers.get('link')).toContain('rel="next"');
    const changed = await workspace.patch(`/${id}`, { name: 'Shop AT', enabled: false });
    expect(changed.body).toMatchObject({ name: 'Shop AT', enabled: false, next_sync_at: null });
    expect((await workspace.member.delete(`${workspace.path}/${id}`)).status).toBe(204);
    expect((await workspace.get(`/${id}`)).status).toBe(404);
    expect((await workspace.get<unknown[]>()).body).toHaveLength(1);
  });

  it('are synced within a shortened interval, and not at all while none is due', async () => {
    const id = await workspace.connect('shopify', { ...SHOPIFY, shop: 'patient.myshopify.com' });
    const { database } = workspace.service;
    await database.execute(
      `UPDATE connectors SET interval_minutes = 1440, next_sync_at = now() + interval '20 hours' WHERE id = $1`,
      [id],
    );
    const nextSyncAfter = async (minutes: number) =>
      (await workspace.patch(`/${id}`, { sync_interval_minutes: minutes })).body['next_sync_at'] as string | null;
    const asked = Date.now();
    const next = Date.parse((await nextSyncAfter(30))!);
    expect(next).toBeGreaterThanOrEqual(asked + 30 * 60_000);
    expect(next).toBeLessThanOrEqual(Date.now() + 30 * 60_000);
    expect(Date.parse((await nextSyncAfter(60))!)).toBe(next);
    await database.execute(`UPDATE connectors SET next_sync_at = NULL WHERE id = $1`, [id]);
    expect(await nextSyncAfter(15)).toBeNull();
  });

  it('count from the first whole month that the platform shows', async () => {
    const { body } = await workspace.post('', { platform: 'shopify', name: 'Shop', settings: SHOPIFY });
    const from = String(body['counts_from']);
    expect(from.endsWith('-01')).toBe(true);
    const days = (Date.now() - Date.parse(from)) / 86_400_000;
    expect(days).toBeGreaterThan(28);
    expect(days).toBeLessThanOrEqual(60);
  });

  it('keep secrets that a PATCH sends back redacted, and change the others', async () => {
    const id = await workspace.connect('shopify', SHOPIFY);
    await workspace.patch(`/${id}`, { settings: { access_token: '********', client_secret: 'another' } });
    expect(await stored(id)).toEqual({ access_token: SHOPIFY.access_token, client_secret: 'another' });
    const removed = await workspace.patch(`/${id}`, { settings: { client_secret: null } });
    expect(removed.body['settings']).toEqual({
      shop: SHOPIFY.shop,
      access_token: '********',
      api_version: '2026-10',
    });
    expect(await stored(id)).toEqual({ access_token: SHOPIFY.access_token });
  });

  it('keep their account and address, to which stored orders and secrets belong', async () => {
    const id = await workspace.connect('shopify', SHOPIFY);
    const secrets = { access_token: 'typed again', client_secret: 'typed too' };
    for (const settings of [
      { api_url: 'https://attacker.example.com', ...secrets },
      { shop: 'another.myshopify.com', ...secrets },
    ]) {
      const reply = await workspace.patch(`/${id}`, { settings });
      expect([reply.status, (reply.body['errors'] as { param: string }[]).map(({ param }) => param)]).toEqual([
        400,
        [`settings.${Object.keys(settings)[0]}`],
      ]);
    }
    expect(await stored(id)).toEqual({
      access_token: SHOPIFY.access_token,
      client_secret: SHOPIFY.client_secret,
    });
    const same = { shop: SHOPIFY.shop, ...secrets };
    expect((await workspace.patch(`/${id}`, { settings: same })).status).toBe(200);
  });

  it('have secrets that are sealed for them alone', async () => {
    const one = await workspace.connect('shopify', SHOPIFY);
    const other = await workspace.connect('shopify', { ...SHOPIFY, shop: 'other.myshopify.com' });
    await workspace.service.database.execute(
      'UPDATE connectors SET sealed = (SELECT sealed FROM connectors WHERE id = $2) WHERE id = $1',
      [one, other],
    );
    await expect(stored(one)).rejects.toThrow();
    await expect(stored(other)).resolves.toEqual({
      access_token: SHOPIFY.access_token,
      client_secret: SHOPIFY.client_secret,
    });
  });

  it('trim whitespace and line breaks from pasted values', async () => {
    const pasted = { shop: ` ${SHOPIFY.shop}\n`, access_token: `\t${SHOPIFY.access_token} \r\n`, client_secret: ' \n' };
    const id = await workspace.connect('shopify', pasted, { enabled: false });
    expect((await workspace.get(`/${id}`)).body['settings']).toMatchObject({ shop: SHOPIFY.shop });
    await expect(stored(id)).resolves.toEqual({ access_token: SHOPIFY.access_token });
  });

  it.each<[string, unknown, string]>([
    ['a two-line secret', { settings: { ...SHOPIFY, access_token: 'shpat_a\nb' } }, 'settings.access_token'],
    ['an unknown platform', { platform: 'magento' }, 'platform'],
    ['no name', { name: ' ' }, 'name'],
    ['no settings', { settings: [] }, 'settings'],
    [
      'an address with a query, even an empty one',
      { settings: { ...SHOPIFY, api_url: 'https://a.example/?' } },
      'settings.api_url',
    ],
    ['a missing field', { settings: { shop: SHOPIFY.shop } }, 'settings.access_token'],
    [
      'neither a token nor both credentials of an app',
      { settings: { shop: SHOPIFY.shop, client_id: 'c' } },
      'settings.access_token',
    ],
    [
      'a two-line secret in place of a token',
      { settings: { shop: SHOPIFY.shop, client_id: 'c', client_secret: 'a\nb' } },
      'settings.client_secret',
    ],
    ['an unknown field', { settings: { ...SHOPIFY, password: 'x' } }, 'settings.password'],
    ['a field of another type', { settings: { ...SHOPIFY, shop: 7 } }, 'settings.shop'],
    ['a shop outside Shopify', { settings: { ...SHOPIFY, shop: 'evil.example.com' } }, 'settings.shop'],
    ['a shop with a path', { settings: { ...SHOPIFY, shop: 'x.myshopify.com/@evil' } }, 'settings.shop'],
    ['an invalid address', { settings: { ...SHOPIFY, api_url: 'javascript:alert(1)' } }, 'settings.api_url'],
    [
      'an address with a password',
      { settings: { ...SHOPIFY, api_url: 'https://a:b@example.com' } },
      'settings.api_url',
    ],
    [
      'a secret that is invalid in a header',
      { settings: { ...SHOPIFY, access_token: 'a\u0001b' } },
      'settings.access_token',
    ],
    ['a redacted secret on creation', { settings: { ...SHOPIFY, access_token: '********' } }, 'settings.access_token'],
    ['an invalid time zone', { time_zone: 'Mars/Olympus' }, 'time_zone'],
    ['an invalid day', { counts_from: '2026-13-01' }, 'counts_from'],
    ['a day within a month', { counts_from: '2026-10-15' }, 'counts_from'],
    ['a month before uploads begin', { counts_from: '1899-12-01' }, 'counts_from'],
    ['a day that does not exist', { counts_from: '2026-02-30' }, 'counts_from'],
    ['a future month', { counts_from: dayOf(-2, 1) }, 'counts_from'],
    ['a short interval', { sync_interval_minutes: 1 }, 'sync_interval_minutes'],
    ['a platform’s cursor', { cursor: {} }, 'cursor'],
  ])('are refused with %s', async (_what, wrong, param) => {
    const reply = await workspace.post('', { platform: 'shopify', name: 'S', settings: SHOPIFY, ...(wrong as object) });
    expect([reply.status, (reply.body['errors'] as { param: string }[]).map((fault) => fault.param)]).toEqual([
      400,
      [param],
    ]);
    expect(reply.text).not.toContain('shpat_secret_token');
  });

  it('may count from the current month', async () => {
    const input = { platform: 'shopify', name: 'S', settings: SHOPIFY, counts_from: dayOf(0, 1) };
    expect((await workspace.post('', input)).status).toBe(201);
  });

  it('are read by viewers and changed by members', async () => {
    const id = await workspace.connect('shopify', SHOPIFY);
    const { token } = await createMember(workspace.service.database, workspace.organizationId, 'viewer');
    const viewer = new AppClient(workspace.service.url, token);
    const at = `${workspace.path}/${id}`;
    for (const path of [workspace.path, at, `${at}/syncs`]) expect((await viewer.get(path)).status).toBe(200);
    const refused = await Promise.all([
      viewer.post(workspace.path, {}),
      viewer.patch(at, {}),
      viewer.delete(at),
      viewer.post(`${at}/test`),
      viewer.post(`${at}/sync`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });

  it('are limited in number, also when several are created at once', async () => {
    const first = await workspace.connect('shopify', SHOPIFY);
    const { database } = workspace.service;
    const clone = (count: number): Promise<number> =>
      database.execute(
        `INSERT INTO connectors (id, organization_id, workspace_id, platform, name, account, settings, sealed, time_zone, counts_from,
           interval_minutes, created_at, updated_at)
         SELECT gen_random_uuid(), organization_id, workspace_id, platform, name, 'shop ' || n, settings, sealed, time_zone, counts_from,
           interval_minutes, created_at, updated_at FROM connectors, generate_series(1, $2::int) AS n WHERE id = $1`,
        [first, count],
      );
    await clone(97);
    const create = (shop: number) =>
      workspace.post('', {
        platform: 'shopify',
        name: 'Shop',
        settings: { ...SHOPIFY, shop: `shop-${shop}.myshopify.com` },
      });
    const replies = await Promise.all([create(1), create(2), create(3), create(4)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(replies.find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'too_many_connectors',
      limit: 100,
    });
    await workspace.member.delete(`${workspace.path}/${first}`);
    expect((await create(5)).status).toBe(201);
  });

  it('have a single open sync, however often one is requested', async () => {
    const id = await workspace.connect('shopify', SHOPIFY);
    const asked = await Promise.all(Array.from({ length: 5 }, () => workspace.post(`/${id}/sync`)));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(asked.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['60']));
    expect(new Set(asked.map(({ body }) => body['id'])).size).toBe(1);
    expect(asked[0]!.body).toMatchObject({
      status: 'queued',
      trigger: 'manual',
      connector_id: id,
      waiting_until: null,
    });
    expect(await workspace.syncs(id)).toHaveLength(1);
  });

  it('report in a connection test that an address is not public', async () => {
    const id = await workspace.connect('shopify', { ...SHOPIFY, api_url: 'https://169.254.169.254' });
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({
      ok: false,
      code: 'address_refused',
      account: null,
    });
    expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(false);
  });
});
