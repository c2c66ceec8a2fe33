import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppClient } from '../support/app-client.js';
import { createMember } from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { createTestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { startTestService } from '../support/test-service.js';
import { Connected, connectedWorkspace, LOCAL_PLATFORMS } from './connected.js';
import { type PlatformReply, PlatformServer, type PlatformRequest } from './platform-server.js';

/** A shop whose tokens are good or expired; the token endpoint answers when the test lets it. */
class ExpiringShop extends PlatformServer {
  token = 'fresh';
  /** What the token endpoint gives instead of the token that is good. */
  issued: string | undefined;
  name: string | null | undefined = 'Example';
  release: () => void = () => undefined;
  private readonly released = new Promise<void>((resolve) => (this.release = resolve));

  get asked(): number {
    return this.requests.filter(({ path }) => path.endsWith('/oauth/access_token')).length;
  }

  protected async answer({ path, headers }: PlatformRequest): Promise<PlatformReply> {
    if (path.endsWith('/oauth/access_token')) {
      await this.released;
      return { body: { access_token: this.issued ?? this.token, refresh_token: 'the next', expires_in: 3_600 } };
    }
    if (headers['x-shopify-access-token'] !== this.token) return { status: 401, body: {} };
    return {
      body: { data: { ...(this.name === undefined ? {} : { shop: { name: this.name } }), orders: { nodes: [] } } },
    };
  }
}

describe('token renewal', () => {
  const workspace = connectedWorkspace({}); // ends connections of the database
  let shop: ExpiringShop;
  beforeEach(async () => {
    shop = await new ExpiringShop().start();
  });
  afterEach(() => shop.stop());

  const grantOf = (platform: ExpiringShop, access_token: string) => ({
    shop: 'example.myshopify.com',
    access_token,
    client_id: 'c',
    client_secret: 's',
    refresh_token: 'r',
    api_url: platform.url,
  });
  const connect = (access_token: string): Promise<string> =>
    workspace.connect('shopify', grantOf(shop, access_token), { enabled: false });

  it('happens once, however many need it, and blocks nobody else', async () => {
    const id = await connect('expired');
    let answered = 0;
    const tests = Array.from({ length: 20 }, () => workspace.post(`/${id}/test`).finally(() => (answered += 1)));
    await eventually('the token endpoint is asked', () => Promise.resolve(shop.asked > 0 ? true : undefined));
    expect((await fetch(`${workspace.service.url}/health/ready`)).status).toBe(200);
    expect(answered).toBe(0);
    shop.release();
    const replies = await Promise.all(tests);
    expect(replies.map(({ body }) => body['ok'])).toEqual(Array.from({ length: 20 }, () => true));
    expect(shop.asked).toBe(1);
  });

  it('is left to the process that owns it, and taken over if that dies', async () => {
    shop.release();
    const id = await connect('expired');
    const began = Date.now();
    await workspace.service.database.execute(
      `UPDATE connectors SET renewing_until = clock_timestamp() + interval '2 seconds' WHERE id = $1`,
      [id],
    );
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });
    expect(Date.now() - began).toBeGreaterThan(1_900);
    expect(shop.asked).toBe(1);
  });

  it('that outlasts its lease leaves the renewal of another process alone', async () => {
    const { database } = workspace.service;
    const id = await connect('expired');
    const tested = workspace.post(`/${id}/test`);
    await eventually('the token endpoint is asked', () => Promise.resolve(shop.asked > 0 ? true : undefined));
    const lease = () => database.query('SELECT renewing_until::text FROM connectors WHERE id = $1', [id]);
    await database.execute(
      `UPDATE connectors SET renewing_until = clock_timestamp() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    const theirs = await lease();
    shop.release();
    expect((await tested).body).toMatchObject({ ok: true });
    expect(await lease()).toEqual(theirs);
  });

  it('loses no issued token when the database goes away before it is stored', async () => {
    const { database } = workspace.service;
    const id = await connect('expired');
    const tested = workspace.post(`/${id}/test`);
    await eventually('the token endpoint is asked', () => Promise.resolve(shop.asked > 0 ? true : undefined));
    await using rows = await holdRows(database, 'SELECT FROM connectors WHERE id = $1 FOR NO KEY UPDATE', [id]);
    shop.release();
    await rows.untilAwaitedBy(1);
    await database.execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%FROM connectors%'`,
    );
    await rows.release();
    expect((await tested).body).toMatchObject({ ok: true });
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });
    expect(shop.asked).toBe(1);
  });

  it('keeps a token that a member enters meanwhile', async () => {
    const { refresh_token: _, access_token: __, ...client } = grantOf(shop, '');
    const id = await workspace.connect('shopify', client, { enabled: false });
    const tested = workspace.post(`/${id}/test`);
    await eventually('the token endpoint is asked', () => Promise.resolve(shop.asked > 0 ? true : undefined));
    Object.assign(shop, { token: 'permanent', issued: 'of a day' });
    await workspace.patch(`/${id}`, { settings: { access_token: 'permanent' } });
    shop.release();
    expect((await tested).body).toMatchObject({ ok: true });
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });
    expect(shop.asked).toBe(1);
  });

  it('completes when the service stops meanwhile, so that no issued token is lost', async () => {
    const own = await new ExpiringShop().start();
    const database = await createTestDatabase();
    const stopping = await startTestService({ database, environment: LOCAL_PLATFORMS });
    const theirs = await Connected.create(stopping);
    const id = await theirs.connect('shopify', grantOf(own, 'expired'));
    await eventually('the token endpoint is asked', () => Promise.resolve(own.asked > 0 ? true : undefined));
    const stopped = stopping.close();
    await sleep(500); // in which a stop that does not wait for the renewal is over
    own.release();
    await stopped;
    const next = await startTestService({ database, role: 'api', environment: LOCAL_PLATFORMS });
    const { token } = await createMember(next.database, theirs.organizationId, 'member');
    const tested = await new AppClient(next.url, token).post(`${theirs.path}/${id}/test`);
    await Promise.all([next.close(), own.stop()]);
    await database.drop();
    expect(tested.body).toMatchObject({ ok: true });
    expect([own.asked, own.brokenOff]).toEqual([1, 0]);
  });

  it('is not needed to report an account named in another form when the platform names no account', async () => {
    const id = await connect('fresh');
    shop.name = null;
    expect(await workspace.post(`/${id}/test`)).toMatchObject({
      status: 200,
      body: { ok: false, code: 'malformed_reply' },
    });
    shop.name = undefined;
    expect(await workspace.post(`/${id}/test`)).toMatchObject({ body: { ok: true, account: 'example.myshopify.com' } });
  });
});
