import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey, createOrganization, createTenant, createWorkspace } from '../support/builders.js';
import { send } from '../support/reply.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { untilCachesExpire } from '../support/time/until-caches-expire.js';
import type { ODataError } from './feed.js';

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('access to the feed', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  const sql = (text: string, values: unknown[] = []) => service.database.execute(text, values);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    send<ODataError & { value?: Record<string, unknown>[] }>(`${service.url}/odata/v4${path}`, { headers });

  it('accepts a key in the header, as the password of any user, and in the query', async () => {
    const { organizationKey: key } = await createTenant(service);
    for (const path of ['', '/', '/$metadata', '/Workspaces', '/Workspaces/$count']) {
      const asked = [
        await ask(path, { 'x-api-key': key }),
        await ask(path, { authorization: basic('anybody', key) }),
        await ask(path, { authorization: basic('', key) }),
        await ask(`${path}?api_key=${key}`),
      ];
      expect([path, ...asked.map(({ status }) => status)]).toEqual([path, 200, 200, 200, 200]);
      for (const { headers } of asked) expect(headers.get('odata-version')).toBe('4.0');
    }
  });

  it('asks for user and password without a valid key', async () => {
    const { organizationKey: key } = await createTenant(service);
    const refused = [
      await ask('/Series'),
      await ask('/Series', { 'x-api-key': `${key}x` }),
      await ask('/Series', { authorization: basic('anybody', 'wrong') }),
      await ask('/Series', { authorization: `Bearer ${key}` }),
      await ask('/Series?api_key=wrong'),
      await ask(`/Series?api_key=${key}&api_key=${key}`),
      await ask('/Nothing?nothing=1'),
    ];
    for (const { status, headers, body } of refused) {
      expect([status, body.error.code]).toEqual([401, 'api_key_invalid']);
      expect(headers.get('www-authenticate')).toMatch(/^Basic realm="api", charset="UTF-8", ApiKey realm="api"$/);
      expect(headers.get('odata-version')).toBe('4.0');
    }
  });

  it('accepts the key only in the header on every other route', async () => {
    const { organizationKey: key } = await createTenant(service);
    const asked = await fetch(`${service.url}/api/v1/usage?api_key=${key}`);
    const signed = await fetch(`${service.url}/api/v1/usage`, { headers: { authorization: basic('x', key) } });
    expect([asked.status, signed.status]).toEqual([401, 401]);
    expect(signed.headers.get('www-authenticate')).toBe('ApiKey realm="api"');
  });

  it('reports the first check that fails, in the order of the contract and in OData format', async () => {
    const organization = await createOrganization(service.database, { plan: 'starter' });
    const own = await createWorkspace(service.database, organization.id);
    const beside = await createWorkspace(service.database, organization.id);
    const key = await createApiKey(service, organization.id, { workspaceId: own.id, ipAllowlist: ['203.0.113.0/24'] });
    const ofOrganization = 'WHERE organization_id = $1';
    await sql(`UPDATE api_keys SET locked_at = now(), expires_at = now() ${ofOrganization}`, [organization.id]);
    await sql('UPDATE organizations SET suspended_at = now() WHERE id = $1', [organization.id]);
    await sql(`INSERT INTO platform_flags VALUES ('disable_public_api', true, 'upgrade', 'test', now())`);
    const repairs: [number, string, () => Promise<unknown>][] = [
      [503, 'public_api_disabled', () => sql('DELETE FROM platform_flags')],
      [401, 'api_key_invalid', () => sql(`UPDATE api_keys SET expires_at = NULL ${ofOrganization}`, [organization.id])],
      [403, 'api_key_locked', () => sql(`UPDATE api_keys SET locked_at = NULL ${ofOrganization}`, [organization.id])],
      [
        403,
        'organization_suspended',
        () => sql('UPDATE organizations SET suspended_at = NULL WHERE id = $1', [organization.id]),
      ],
      [
        403,
        'ip_not_allowed',
        () => sql(`UPDATE api_keys SET ip_allowlist = '{}' ${ofOrganization}`, [organization.id]),
      ],
      [
        403,
        'plan_not_eligible',
        () => sql(`UPDATE organizations SET plan = 'growth' WHERE id = $1`, [organization.id]),
      ],
    ];
    await untilCachesExpire();
    const wrongInput = `/Workspaces(${beside.id})?$select=nothing&unknown=1`;
    for (const [status, code, repair] of repairs) {
      const { status: answered, headers, body } = await ask(wrongInput, { authorization: basic('x', key) });
      expect([answered, body.error.code]).toEqual([status, code]);
      expect([headers.get('odata-version'), headers.get('retry-after')]).toEqual(['4.0', status === 503 ? '60' : null]);
      await repair();
      await untilCachesExpire();
    }
    const answer = async (path: string) => {
      const { status, body } = await ask(path, { 'x-api-key': key });
      return [status, body.error?.code];
    };
    expect(await answer(wrongInput)).toEqual([400, 'invalid_request']);
    expect(await answer(`/Workspaces(${beside.id})?$select=name`)).toEqual([403, 'workspace_forbidden']);
    expect(await answer(`/Workspaces(${own.id})?$select=name`)).toEqual([200, undefined]);
  });

  it('shows a workspace key its workspace, and an organization key all of them', async () => {
    const tenant = await createTenant(service);
    const second = await createWorkspace(service.database, tenant.organizationId);
    await createTenant(service); // somebody else
    const seen = async (key: string) =>
      (await ask('/Workspaces?$select=id', { 'x-api-key': key })).body.value!.map((row) => row['id']);
    expect(await seen(tenant.workspaceKey)).toEqual([tenant.workspaceId]);
    expect(await seen(tenant.organizationKey)).toEqual([tenant.workspaceId, second.id].sort());
  });

  it('does not copy the key into links', async () => {
    const { organizationId, organizationKey: key } = await createTenant(service);
    await createWorkspace(service.database, organizationId);
    const { text, body } = await ask(`/Workspaces?api_key=${key}`, { prefer: 'odata.maxpagesize=1' });
    expect((body as { '@odata.nextLink'?: string })['@odata.nextLink']).toContain('$skiptoken=');
    expect(text).not.toContain(key);
  });

  it('counts its requests towards the request ceiling', async () => {
    const strict = await startTestService({ environment: { REQUESTS_PER_MINUTE: '3' } });
    try {
      const { organizationKey: key } = await createTenant(strict);
      const statuses: number[] = [];
      for (let n = 0; n < 4; n += 1) {
        const reply = await fetch(`${strict.url}/odata/v4/Workspaces`, { headers: { 'x-api-key': key } });
        statuses.push(reply.status);
        if (n === 3) expect(((await reply.json()) as ODataError).error.code).toBe('too_many_requests');
      }
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await strict.close();
    }
  });

  it.each([
    ['/Nothing', 404, 'not_found'],
    ['/Series/nothing/else', 404, 'not_found'],
    ['/%zz', 404, 'not_found'],
    ['/Actuals(series_id=019a8f3c-0000-7000-8000-000000000005,ds=2026-02-30)', 404, 'not_found'],
    ['/$batch', 501, 'not_implemented'],
    ['/$crossjoin(Series,Runs)', 501, 'not_implemented'],
    ['/Series?$search=soap', 501, 'not_implemented'],
    ['/Series?$compute=1 as x', 501, 'not_implemented'],
    ['/Series?$expand=workspace($levels=2)', 501, 'not_implemented'],
    ['/Series?$expand=workspace($compute=1 as x)', 501, 'not_implemented'],
    ['/Series?$expand=workspace($filter=true)', 400, 'invalid_request'],
    ['/Series?@p=1', 501, 'not_implemented'],
    ['/Series?colour=red', 400, 'invalid_request'],
    ['/Series?constructor=red', 400, 'invalid_request'],
    ['/Series?$top=1&$top=2', 400, 'invalid_request'],
    ['/Series/$count?$select=id', 400, 'invalid_request'],
    ['/Series?$format=atom', 406, 'not_acceptable'],
    ['/Series?$format=json;odata.metadata=full', 406, 'not_acceptable'],
  ])('refuses %s with %i in OData format', async (path, status, code) => {
    const { organizationKey: key } = await createTenant(service);
    const answer = await ask(path, { 'x-api-key': key });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.message).not.toBe('');
    expect(answer.headers.get('odata-version')).toBe('4.0');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['/Series?$Filter=id eq null', 'The feed does not support the query option $Filter; use $filter.'],
    ['/Series?$orderBy=id', 'The feed does not support the query option $orderBy; use $orderby.'],
    ['/Series?$inlinecount=allpages', 'The feed does not support the query option $inlinecount; use $count=true.'],
    ['/Series?$search=soap', 'The feed does not support the query option $search.'],
    ['/$Metadata', 'The feed does not support the resource $Metadata; use $metadata.'],
    ['/forecasts', 'The set does not exist; use Forecasts.'],
    [
      '/Series?$filter=workspace eq null',
      '$filter: at character 1: workspace is an entity; use one of its properties, such as workspace/id',
    ],
    [
      '/Series(019a8f3c-0000-7000-8000-000000000005)/workspace/name',
      'There is no such path. The feed has sets, their entities by key, and the properties and navigations of an entity.',
    ],
  ])('suggests at %s what to write instead, if known', async (path, message) => {
    const { organizationKey: key } = await createTenant(service);
    expect((await ask(path, { 'x-api-key': key })).body.error.message).toBe(message);
  });

  it.each([
    ['OData-MaxVersion', '3.0'],
    ['OData-MaxVersion', '3.0;NetFx'],
    ['OData-MaxVersion', 'latest'],
    ['OData-MaxVersion', ''],
    ['OData-Version', '3.0'],
  ])('does not answer in 4.0 when another version is requested by %s: %s', async (header, version) => {
    const { organizationKey: key } = await createTenant(service);
    for (const path of ['', '/$metadata', '/Series', '/Series/$count']) {
      const { status, headers, body } = await ask(path, { 'x-api-key': key, [header]: version });
      expect([path, status, headers.get('odata-version'), body.error]).toEqual([
        path,
        400,
        '4.0',
        expect.objectContaining({
          code: 'invalid_request',
          target: header,
          message: `${header}: must be 4.0 or higher; the feed uses OData 4.0`,
        }),
      ]);
    }
    expect((await ask('/Series', { [header]: version })).status).toBe(401);
  });

  it.each([
    { 'OData-MaxVersion': '4.0', 'OData-Version': '4.0' },
    { 'OData-MaxVersion': '4.01' },
    { 'OData-MaxVersion': '4.0;NetFx', 'OData-Version': '4.0;NetFx' },
    { 'OData-MaxVersion': '4.0', MaxDataServiceVersion: '3.0' },
  ])('answers in 4.0 to clients that understand it: %j', async (versions) => {
    const { organizationKey: key } = await createTenant(service);
    const { status, headers } = await ask('/Series', { 'x-api-key': key, ...versions });
    expect([status, headers.get('odata-version')]).toEqual([200, '4.0']);
  });

  it('refuses batches', async () => {
    const { organizationKey: key } = await createTenant(service);
    const headers = { 'x-api-key': key, 'content-type': 'multipart/mixed; boundary=b' };
    const reply = await fetch(`${service.url}/odata/v4/$batch`, { method: 'POST', headers, body: '--b--' });
    expect([reply.status, ((await reply.json()) as ODataError).error.code]).toEqual([501, 'not_implemented']);
  });

  it('refuses changes', async () => {
    const { organizationKey: key } = await createTenant(service);
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const reply = await fetch(`${service.url}/odata/v4/Series`, { method, headers: { 'x-api-key': key } });
      const { error } = (await reply.json()) as ODataError;
      expect([method, reply.status, error.code]).toEqual([method, 405, 'method_not_allowed']);
      expect([reply.headers.get('allow'), reply.headers.get('odata-version')]).toEqual(['GET, HEAD', '4.0']);
    }
  });

  it('answers HEAD like GET without a body', async () => {
    const { organizationKey: key } = await createTenant(service);
    const headers = { 'x-api-key': key };
    const reply = await fetch(`${service.url}/odata/v4/Workspaces`, { method: 'HEAD', headers });
    expect([reply.status, reply.headers.get('odata-version'), await reply.text()]).toEqual([200, '4.0', '']);
  });
});
