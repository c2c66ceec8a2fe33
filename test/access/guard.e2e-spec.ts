import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateApiKey } from '../../src/access/api-keys/api-key-format.js';
import { createApiKey, createOrganization, createTenant } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { eventually } from '../support/eventually.js';
import { untilCachesExpire } from '../support/time/until-caches-expire.js';

describe('the public API guard', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  });
  afterAll(() => service.close());

  async function call(key: string | undefined, headers: Record<string, string> = {}) {
    const reply = await fetch(`${service.url}/api/v1/usage`, {
      headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
    });
    const body = (await reply.json()) as Record<string, unknown>;
    return { status: reply.status, code: body['code'], body, reply };
  }
  const sql = (text: string, values: unknown[] = []) => service.database.execute(text, values);

  it('admits a key of each scope', async () => {
    const tenant = await createTenant(service);
    for (const key of [tenant.organizationKey, tenant.workspaceKey]) {
      const { status, body } = await call(key);
      expect(status).toBe(200);
      expect(body).toMatchObject({ quota: 200, used: 0, overage: 0 });
    }
  });

  it('answers 401 with WWW-Authenticate to a missing, malformed, unknown, revoked or expired key', async () => {
    const organization = await createOrganization(service.database);
    const revoked = await createApiKey(service, organization.id);
    await sql('UPDATE api_keys SET revoked_at = now() WHERE organization_id = $1', [organization.id]);
    const expired = await createApiKey(service, organization.id, { expiresAt: new Date(Date.now() - 1) });
    for (const key of [undefined, '', 'fk_short', 'x'.repeat(10_000), generateApiKey(), revoked, expired]) {
      const { status, code, reply } = await call(key);
      expect([status, code]).toEqual([401, 'api_key_invalid']);
      expect(reply.headers.get('www-authenticate')).toContain('realm=');
    }
  });

  it.each([
    ['no key', '', /has no API key/],
    ['part of a key', 'fk_short', /incomplete or mistyped/],
    ['a key with an extra letter', `${generateApiKey()}x`, /incomplete or mistyped/],
    ['an unknown key', generateApiKey(), /not valid\.$/],
  ])('explains the 401 for %s', async (_what, key, detail) => {
    expect((await call(key)).body['detail']).toMatch(detail);
  });

  it('reports the first check that fails, in the order of the contract', async () => {
    const organization = await createOrganization(service.database, { plan: 'starter' });
    const key = await createApiKey(service, organization.id, { ipAllowlist: ['203.0.113.0/24'] });
    await sql('UPDATE api_keys SET locked_at = now(), expires_at = now() WHERE organization_id = $1', [
      organization.id,
    ]);
    await sql('UPDATE organizations SET suspended_at = now() WHERE id = $1', [organization.id]);
    await sql(
      `INSERT INTO platform_flags VALUES ('disable_public_api', true, 'upgrade of the database', 'test', now())`,
    );
    const repairs: [number, string, () => Promise<unknown>][] = [
      [503, 'public_api_disabled', () => sql('DELETE FROM platform_flags')],
      [
        401,
        'api_key_invalid',
        () => sql('UPDATE api_keys SET expires_at = NULL WHERE organization_id = $1', [organization.id]),
      ],
      [
        403,
        'api_key_locked',
        () => sql('UPDATE api_keys SET locked_at = NULL WHERE organization_id = $1', [organization.id]),
      ],
      [
        403,
        'organization_suspended',
        () => sql('UPDATE organizations SET suspended_at = NULL WHERE id = $1', [organization.id]),
      ],
      [
        403,
        'ip_not_allowed',
        () => sql(`UPDATE api_keys SET ip_allowlist = '{}' WHERE organization_id = $1`, [organization.id]),
      ],
      [
        403,
        'plan_not_eligible',
        () => sql(`UPDATE organizations SET plan = 'growth' WHERE id = $1`, [organization.id]),
      ],
    ];
    await untilCachesExpire();
    for (const [status, code, repair] of repairs) {
      const answer = await call(key);
      expect([answer.status, answer.code]).toEqual([status, code]);
      if (status === 503) expect(answer.reply.headers.get('retry-after')).toMatch(/^\d+$/);
      await repair();
      await untilCachesExpire();
    }
    expect((await call(key)).status).toBe(200);
  });

  it('refuses requests during maintenance before looking up the key', async () => {
    await sql(`INSERT INTO platform_flags VALUES ('disable_public_api', true, NULL, 'test', now())`);
    await untilCachesExpire();
    expect((await call(undefined)).code).toBe('public_api_disabled');
    await sql('UPDATE platform_flags SET enabled = false');
    await untilCachesExpire();
    expect((await call(undefined)).code).toBe('api_key_invalid');
    await sql('DELETE FROM platform_flags');
  });

  it('takes no key from HTTP Basic or the URL, which are for the feed alone', async () => {
    const { organizationKey: key } = await createTenant(service);
    const basic = { authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}` };
    expect((await call(undefined, basic)).body).toMatchObject({
      code: 'api_key_invalid',
      detail: expect.stringContaining('has no API key'),
    });
    expect((await fetch(`${service.url}/api/v1/usage?api_key=${key}`)).status).toBe(401);
  });

  it('checks credentials before the body or its type', async () => {
    for (const [type, body] of [
      ['application/json', '{broken'],
      ['application/json', 'x'.repeat(2_000_000)],
      ['text/plain', 'hello'],
      ['json', '{}'],
    ]) {
      const reply = await fetch(`${service.url}/api/v1/runs`, {
        method: 'POST',
        headers: { 'content-type': type! },
        body: body!,
      });
      expect(reply.status).toBe(401);
    }
  });

  it.each([
    ['invalid UTF-8', '%ff'],
    ['an incomplete escape', 'a%2'],
    ['excessive length', 'x'.repeat(8_000)],
  ])('checks credentials before it reports an unknown id of %s', async (_what, id) => {
    const { organizationKey } = await createTenant(service);
    for (const [headers, status, code] of [
      [{}, 401, 'api_key_invalid'],
      [{ 'x-api-key': organizationKey }, 404, 'not_found'],
    ] as const) {
      const reply = await fetch(`${service.url}/api/v1/runs/${id}/forecasts`, { headers });
      expect([reply.status, await reply.json()]).toEqual([status, expect.objectContaining({ code })]);
    }
  });

  it('checks the caller against both allowlists, in IPv4 and IPv6', async () => {
    const organization = await createOrganization(service.database);
    const key = await createApiKey(service, organization.id, { ipAllowlist: ['198.51.100.0/24', '2001:db8::/32'] });
    const from = (address: string) => call(key, { 'x-forwarded-for': address });
    expect((await from('198.51.100.7')).status).toBe(200);
    expect((await from('2001:db8::7')).status).toBe(200);
    expect((await from('::ffff:198.51.100.7')).status).toBe(200);
    expect((await from('198.51.101.7')).code).toBe('ip_not_allowed');
    await sql(`UPDATE organizations SET ip_allowlist = '{2001:db8::/32}' WHERE id = $1`, [organization.id]);
    await untilCachesExpire();
    expect((await from('198.51.100.7')).code).toBe('ip_not_allowed');
    expect((await from('2001:db8::7')).status).toBe(200);
  });

  it('is not fooled by a forged X-Forwarded-For', async () => {
    const organization = await createOrganization(service.database);
    const key = await createApiKey(service, organization.id, { ipAllowlist: ['198.51.100.7'] });
    const proxySaw = '203.0.113.66'; // the trusted proxy appends the address it was called from
    for (const forged of [
      '198.51.100.7',
      '198.51.100.7, 198.51.100.7',
      '127.0.0.1, 198.51.100.7',
      '::ffff:198.51.100.7',
      '198.51.100.7:80',
      '[::ffff:198.51.100.7]:80',
      ' 198.51.100.7 ',
      ',198.51.100.7',
      'unknown',
      'for=198.51.100.7',
    ]) {
      expect((await call(key, { 'x-forwarded-for': `${forged}, ${proxySaw}` })).code).toBe('ip_not_allowed');
    }
    for (const name of ['x-real-ip', 'x-client-ip', 'forwarded', 'true-client-ip']) {
      expect((await call(key, { [name]: '198.51.100.7' })).code).toBe('ip_not_allowed');
    }
  });

  it('ignores X-Forwarded-For from an untrusted peer', async () => {
    const direct = await startTestService();
    try {
      const organization = await createOrganization(direct.database);
      const key = await createApiKey(direct, organization.id, { ipAllowlist: ['198.51.100.7'] });
      const reply = await fetch(`${direct.url}/api/v1/usage`, {
        headers: { 'x-api-key': key, 'x-forwarded-for': '198.51.100.7' },
      });
      expect(reply.status).toBe(403);
    } finally {
      await direct.close();
    }
  });

  it('records which key was used last when both were used within seconds', async () => {
    const organization = await createOrganization(service.database);
    const key = await createApiKey(service, organization.id, { name: 'one' });
    await createApiKey(service, organization.id, { name: 'two' });
    const usedLast = async () => {
      const rows = await service.database.query<{ name: string; last_used_at: Date | null }>(
        'SELECT name, last_used_at FROM api_keys WHERE organization_id = $1 ORDER BY last_used_at DESC NULLS LAST, name DESC',
        [organization.id],
      );
      return rows[0]!;
    };
    expect((await usedLast()).last_used_at).toBeNull();
    await service.database.execute(
      `UPDATE api_keys SET last_used_at = now() - CASE name WHEN 'one' THEN interval '3 seconds' ELSE interval '2 seconds' END
       WHERE organization_id = $1`,
      [organization.id],
    );
    expect((await usedLast()).name).toBe('two');
    expect((await call(key)).status).toBe(200);
    await eventually('its use is recorded', async () => (await usedLast()).name === 'one' || undefined);
  });
});
