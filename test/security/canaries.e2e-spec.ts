import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setStripeCustomer } from '../../src/usage/metering/meter-events.queries.js';
import { demandCsv } from '../support/api.js';
import { currentCode, fromBase32 } from '../support/authenticator.js';
import { addMember, createTenant, createUser } from '../support/builders.js';
import { Canaries, dumpDatabase } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import { MailServer, SMTP_PASSWORD } from '../support/mail/mail-server.js';
import { type RealService, startRealService } from '../support/processes/real-service.js';
import { type Reply, send } from '../support/reply.js';
import { untilCachesExpire } from '../support/time/until-caches-expire.js';

const IDEMPOTENCY_KEY = 'canary-idempotency-key';

describe('secrets', () => {
  const canaries = new Canaries();
  const mails = new MailServer();
  const refusals: Reply[] = [];
  let meter: Server;
  let service: RealService;
  let dump: string;
  let auditLog: string;

  async function call(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | object,
  ): Promise<Reply> {
    const reply = await send<Record<string, unknown>>(service.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    if (reply.status >= 400) refusals.push(reply);
    return reply;
  }
  const post = (path: string, body: string | object, headers: Record<string, string> = {}) =>
    call('POST', path, headers, body);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const text = (reply: Reply, member: string) => String(reply.body[member]);

  /** Starts the compiled service with secrets of its own, and what it talks to. */
  async function startService(): Promise<void> {
    await mails.start();
    // a metering service that is so unkind as to repeat what it was sent
    meter = createServer((request, response) => response.writeHead(401).end(JSON.stringify(request.headers)));
    await new Promise<void>((resolve) => meter.listen(0, '127.0.0.1', resolve));
    service = await startRealService({
      LOG_LEVEL: 'trace',
      PUBLIC_URL: 'https://forecasts.example.com',
      SMTP_URL: mails.url,
      SMTP_FROM: 'no-reply@example.com',
      API_KEY_PEPPER: canaries.plant('pepper', 'canary-pepper-'.repeat(4)),
      ENCRYPTION_KEY: canaries.plant('encryption key', 'c0ffee11'.repeat(8)),
      STRIPE_SECRET_KEY: canaries.plant('metering secret', 'sk_live_canary_of_the_metering'),
      CONNECTOR_PRIVATE_RANGES: '127.0.0.1',
      CONNECTOR_PLAIN_HTTP: 'on',
      STRIPE_API_URL: `http://127.0.0.1:${(meter.address() as AddressInfo).port}`,
    });
    canaries.plant('SMTP password', SMTP_PASSWORD);
  }

  /** Connects shops, which refuse every credential. */
  async function useShops(workspaceId: string, session: string): Promise<void> {
    const shop = `http://127.0.0.1:${(meter.address() as AddressInfo).port}`;
    const connectors = `/workspaces/${workspaceId}/connectors`;
    const shopify = {
      access_token: canaries.plant('access token of a shop', 'shpat_canary_access_token'),
      client_secret: canaries.plant('client secret of a shop', 'shpss_canary_client_secret'),
      refresh_token: canaries.plant('refresh token of a shop', 'shprt_canary_refresh_token'),
    };
    const settings = { ...shopify, shop: 'example.myshopify.com', client_id: 'the-client', api_url: shop };
    const connected = await post(connectors, { platform: 'shopify', name: 'Shop', settings }, bearer(session));
    expect(connected.body['settings']).toMatchObject({ access_token: '********', client_secret: '********' });
    const connector = `${connectors}/${text(connected, 'id')}`;
    const woo = {
      consumer_key: canaries.plant('consumer key of a shop', 'ck_canary_consumer_key'),
      consumer_secret: canaries.plant('consumer secret of a shop', 'cs_canary_consumer_secret'),
      webhook_secret: canaries.plant('webhook secret of a shop', 'canary-webhook-secret'),
    };
    const site = { platform: 'woocommerce', name: 'Site', settings: { ...woo, site_url: shop } };
    const second = text(await post(connectors, site, bearer(session)), 'id');
    for (const path of [connector, `${connectors}/${second}`]) {
      await eventually('the shop has refused a sync', async () => {
        const { text: syncs } = await call('GET', `${path}/syncs`, bearer(session));
        return syncs.includes('"error":{') ? true : undefined;
      });
      // not before: a connector whose credentials a test finds refused begins no sync by schedule
      expect((await post(`${path}/test`, {}, bearer(session))).body).toMatchObject({ ok: false });
    }
    const hooked = `/webhooks/connectors/woocommerce/${second}`;
    await post(hooked, { id: 1 }, { 'x-wc-webhook-signature': woo.webhook_secret });
    await call('PATCH', connector, bearer(session), { settings: { ...shopify, access_token: [shopify.access_token] } });
    await call('PATCH', connector, bearer(session), { settings: { shop: shopify.access_token } });
    await call('PATCH', connector, bearer(session), `{"settings": {"access_token": "${shopify.access_token}}`);
  }

  /** Starts a run beyond the quota, whose report the metering service refuses. */
  async function runBeyondQuota(
    { organizationId, workspaceId }: { readonly organizationId: string; readonly workspaceId: string },
    key: Readonly<Record<string, string>>,
  ): Promise<void> {
    await call(
      'POST',
      `/api/v1/actuals?workspace_id=${workspaceId}`,
      { ...key, 'content-type': 'text/csv' },
      demandCsv(1, 24),
    );
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), 200)`,
      [organizationId],
    );
    const run = { workspace_id: workspaceId };
    const started = await post('/api/v1/runs', run, { ...key, 'idempotency-key': IDEMPOTENCY_KEY });
    expect(started.body).toMatchObject({ billed: 'overage' });
    await post(
      '/api/v1/runs',
      { ...run, config_overrides: { horizon: 3 } },
      { ...key, 'idempotency-key': IDEMPOTENCY_KEY },
    );
    await service.database.execute(`UPDATE meter_events SET next_attempt_at = now()`);
    await eventually('the metering service has refused', async () => {
      const rows = await service.database.query(`SELECT 1 FROM meter_events WHERE last_error IS NOT NULL`);
      return rows.length > 0 ? true : undefined;
    });
  }

  /** Lives through everything that secrets are used for, in requests that succeed and in many that do not. */
  async function useSecrets(): Promise<void> {
    const db = service.database;
    const secrets = { apiKeyPepper: 'canary-pepper-'.repeat(4), encryptionKey: Buffer.alloc(32), databasePassword: '' };
    const tenant = await createTenant({ database: db, secrets });
    const password = canaries.plant('password', 'canary password of Ada');
    const wrong = canaries.plant('wrong password', 'canary wrong password');
    const next = canaries.plant('new password', 'canary new password of Ada');
    const ada = await createUser(db, { email: 'ada@example.com', password });
    await addMember(db, tenant.organizationId, ada.id, 'owner');
    const org = `/orgs/${tenant.organizationId}`;

    const session = canaries.plant(
      'session token',
      text(await post('/auth/login', { email: ada.email, password }), 'token'),
    );
    const created = await post(`${org}/api-keys`, { name: 'ERP' }, bearer(session));
    const apiKey = canaries.plant('API key', text(created, 'api_key'));
    const keyId = text(created, 'id');

    const begun = await post('/auth/second-factor', { password }, bearer(session));
    const totp = canaries.plant('TOTP secret', text(begun, 'secret'));
    canaries.plant('TOTP secret, raw', fromBase32(totp));
    const confirmed = await post('/auth/second-factor/confirm', { code: currentCode(totp) }, bearer(session));
    const [recovery, spare, code] = confirmed.body['recovery_codes'] as [string, string, string];
    canaries.plant('recovery code', recovery);
    canaries.plant('unused recovery code', spare);

    await post(`${org}/invitations`, { email: 'grace@example.com', role: 'viewer' }, bearer(session));
    const invitation = await mails.mailTo('grace@example.com', 'has invited you');
    const invited = canaries.plant('invitation token', /#(fi_[\w-]{43})/.exec(invitation.content)![1]!);
    await post('/auth/password-reset', { email: ada.email });
    const reset = await mails.mailTo(ada.email, 'requested a new password');
    const resetToken = canaries.plant('password reset token', /#(fr_[\w-]{43})/.exec(reset.content)![1]!);
    await post('/auth/email', { email: 'ada@new.example', password, code }, bearer(session));
    const change = await mails.mailTo('ada@new.example', 'asked to change the email address');
    canaries.plant('token of a new address', /#(fe_[\w-]{43})/.exec(change.content)![1]!);
    const key = { 'x-api-key': apiKey };

    await useShops(tenant.workspaceId, session);

    /** Every request that carries a secret and is refused for what is wrong with it. */
    const misuse = async (): Promise<void> => {
      for (const body of [
        { email: ada.email, password: wrong },
        { email: 'nobody@example.com', password: wrong },
        { email: ada.email, password, code: spare.replace(/^./, 'z') },
        { email: ada.email, password: { text: password } },
        { email: password, password },
        { email: ada.email, password, remember: password },
        `{"email":"ada@example.com","password":"${password}`,
        `{"email":"ada@example.com","password":${password}}`,
        `{"password":"${password}",}`,
      ]) {
        await post('/auth/login', body);
      }
      await call('POST', '/auth/login', { 'content-type': 'text/plain' }, password);
      await post('/auth/password', { current_password: wrong, new_password: next }, bearer(session));
      await post('/auth/password', { current_password: password, new_password: [next] }, bearer(session));
      await post('/auth/second-factor/remove', { password: wrong, code: totp }, bearer(session));
      await post('/auth/second-factor/confirm', { code: '000000', secret: totp }, bearer(session));
      await post('/auth/invitations/accept', { token: invited, name: '', password: next });
      await post('/auth/invitations/accept', { token: `${invited}x`, name: 'Grace', password: next });
      await post('/auth/password-reset/confirm', { token: `${resetToken}x`, new_password: next });
      await post('/auth/password-reset/confirm', { token: [resetToken], new_password: 'short' });
      for (const path of ['/api/v1/usage', '/api/v1/runs', '/api/v1/runs/nonsense']) {
        await call('GET', path, { 'x-api-key': `${apiKey}x` });
        await call('GET', path, { 'x-api-key': `${apiKey}\t` });
        await call('GET', path, { authorization: `Bearer ${apiKey}` });
        await call('GET', path, { authorization: `Basic ${Buffer.from(`key:${apiKey}`).toString('base64')}` });
        await call('GET', `${path}?api_key=${apiKey}`, key);
      }
      const basic = { authorization: `Basic ${Buffer.from(`any:${apiKey}`).toString('base64')}` };
      for (const path of [
        '',
        '/Series',
        '/Series/$count',
        '/Nothing',
        '/%zz',
        '/Series/a/b',
        `/Series(${apiKey})`,
        `/${apiKey}`,
      ]) {
        await call('GET', `/odata/v4${path}`, basic);
        await call('GET', `/odata/v4${path}?api_key=${apiKey}`, {});
        await call('GET', `/odata/v4${path}?api_key=${apiKey}x`, {});
        await call('GET', `/odata/v4${path}?api_key=${apiKey}&api_key=${apiKey}&$filter=nothing`, key);
      }
      await call('GET', `/api/v1/series/${session}/forecast?run_id=${apiKey}`, key);
      await call('GET', `/nowhere/${apiKey}`, bearer(session));
      await call('GET', '/auth/me', bearer(`${session}x`));
      await call('GET', '/auth/me', bearer(apiKey));
      await call('GET', `/admin/flags?token=${session}`, bearer(session));
      await post('/api/v1/runs', { workspace_id: apiKey }, { ...key, 'idempotency-key': IDEMPOTENCY_KEY });
      await post('/api/v1/runs', { config_overrides: { token: session } }, key);
      await post('/api/v1/actuals', `{"rows": [{"unique_id": "${apiKey}", `, key);
    };
    await misuse();

    await runBeyondQuota(tenant, key);

    const signIn = () => post('/auth/login', { email: ada.email, password, code: recovery });
    const accept = () => post('/auth/invitations/accept', { token: invited, name: 'Grace', password: next });
    const makeKey = () => post(`${org}/api-keys`, { name: 'Second' }, bearer(session));
    const invite = () => post(`${org}/invitations`, { email: 'x@example.com', role: 'viewer' }, bearer(session));
    /** By the table whose loss lets a request fail in the middle of its work. */
    const broken: Readonly<Record<string, readonly (() => Promise<Reply>)[]>> = {
      sessions: [signIn, makeKey],
      users: [signIn, accept],
      api_keys: [makeKey, () => call('GET', '/api/v1/usage', key)],
      invitations: [accept, invite],
      recovery_codes: [signIn],
      mail_messages: [accept, invite],
      audit_events: [signIn, accept, makeKey],
    };
    for (const [table, requests] of Object.entries(broken)) {
      await db.execute('DELETE FROM sign_in_attempts');
      await db.execute(`ALTER TABLE ${table} RENAME TO lost`);
      await untilCachesExpire();
      for (const request of requests) expect([table, (await request()).status]).toEqual([table, 500]);
      await misuse();
      await db.execute(`ALTER TABLE lost RENAME TO ${table}`);
    }
    await db.execute('DELETE FROM sign_in_attempts');

    // what was used in vain so far is used up
    expect((await signIn()).status).toBe(200);
    expect([(await accept()).status, (await accept()).status]).toEqual([200, 404]);
    auditLog = (await call('GET', `${org}/audit-log?limit=1000`, bearer(session))).text;
    auditLog += (await call('GET', `${org}/audit-log?limit=1000`, { ...bearer(session), accept: 'text/csv' })).text;
    await call('DELETE', `${org}/api-keys/${keyId}`, bearer(session));
    await call('GET', '/api/v1/usage', key);
    for (let guess = 0; guess < 8; guess += 1) await post('/auth/login', { email: ada.email, password: wrong });
    await post('/auth/password-reset/confirm', { token: resetToken, new_password: next });
    await post('/auth/password-reset/confirm', { token: resetToken, new_password: next });
    await call('GET', '/auth/me', bearer(session));
  }

  beforeAll(async () => {
    await startService();
    await useSecrets();
    dump = await dumpDatabase(service.databaseUrl);
    await service.stop();
  });
  afterAll(async () => {
    await service.close();
    await mails.stop();
    meter.close();
  });

  it('were used in requests with every outcome', () => {
    expect(canaries.names.length).toBeGreaterThanOrEqual(19);
    const statuses = new Set(refusals.map(({ status }) => status));
    for (const status of [400, 401, 403, 404, 415, 422, 429, 500])
      expect([status, statuses.has(status)]).toEqual([status, true]);
  });

  it('are found where they should be, or the search would prove nothing', () => {
    const probe = new Canaries();
    probe.plant('as text', 'ada@example.com');
    expect(probe.foundIn(dump)).toHaveLength(1);
    expect(probe.foundIn(auditLog)).toHaveLength(1);
    probe.plant('as bytes', Buffer.from('a secret of bytes'));
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(probe.foundIn(`… ${Buffer.from('a secret of bytes').toString(encoding)} …`)).not.toEqual([]);
    expect(service.output()).toContain('/auth/password-reset/confirm');
    expect(service.output()).toContain('unexpected error');
  });

  it('are not in the logs of the process', () => {
    expect(canaries.foundIn(service.output())).toEqual([]);
    expect(service.output()).not.toContain(IDEMPOTENCY_KEY);
  });

  it('are not in the database', () => {
    expect(canaries.foundIn(dump)).toEqual([]);
  });

  it('are not in error responses', () => {
    expect(refusals.flatMap(({ text: body }) => canaries.foundIn(body))).toEqual([]);
    // nor a piece of one, as in the part of a malformed body that a parser quotes
    expect(refusals.filter(({ text: body }) => body.includes('canary'))).toEqual([]);
  });

  it('are not in the audit log', () => {
    expect(auditLog).toContain('invitation.accepted');
    expect(canaries.foundIn(auditLog)).toEqual([]);
  });
});
