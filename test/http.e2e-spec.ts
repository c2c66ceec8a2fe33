import { request, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demandCsv } from './support/api.js';
import { createMember, UNKNOWN_ID } from './support/builders.js';
import { type Tenant, tenantWithDemand } from './support/tenant-with-demand.js';
import { startTestService, type TestService } from './support/test-service.js';

const ID = /^[0-9a-f-]{36}$/;

describe('the HTTP surface', () => {
  let service: TestService;
  let tenant: Tenant;
  beforeAll(async () => {
    service = await startTestService();
    ({ tenant } = await tenantWithDemand(service, demandCsv(30, 12)));
  });
  afterAll(() => service.close());

  /** As it is sent: fetch would unpack the body. */
  async function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
    return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
      request(service.url + path, { method, headers: { 'x-api-key': tenant.workspaceKey, ...headers } }, (reply) => {
        buffer(reply).then(
          (bytes) => resolve({ status: reply.statusCode!, headers: reply.headers, bytes }),
          (error: unknown) => reject(error as Error),
        );
      })
        .once('error', reject)
        .end();
    });
  }

  it('answers an unknown route or malformed URL with a problem that includes the request id', async () => {
    for (const path of ['/nowhere', '/%zz', '/docs/nothing']) {
      const reply = await fetch(service.url + path);
      const body = (await reply.json()) as Record<string, unknown>;
      expect([reply.status, body['code'], reply.headers.get('content-type')]).toEqual([
        404,
        'not_found',
        'application/problem+json; charset=utf-8',
      ]);
      expect(body['request_id']).toMatch(ID);
    }
  });

  it.each(['/api/v1/runs/', '/api/v1/series/A/B/C', '/API/v1/runs'])(
    'suggests what may be wrong with the path %s',
    async (path) => {
      expect(await (await fetch(service.url + path)).json()).toMatchObject({
        status: 404,
        detail:
          'There is no such path. Paths of the public API start with /api/v1, no path ends with a slash, and a slash in an identifier is written %2F. See /openapi.json for all paths.',
      });
    },
  );

  it.each([
    ['DELETE', '/api/v1/series', 'GET, HEAD'],
    ['PUT', '/api/v1/runs?limit=x', 'GET, HEAD, POST'],
    ['PATCH', `/api/v1/runs/${UNKNOWN_ID}/forecasts`, 'GET, HEAD'],
    ['OPTIONS', '/api/v1/runs', 'GET, HEAD, POST'],
    ['GET', '/auth/login', 'POST'],
    ['POST', '/docs/swagger-ui.css', 'GET, HEAD'],
    ['PROPFIND', '/health/ready', 'GET, HEAD'],
    ['PATCH', `/orgs/${UNKNOWN_ID}/api-keys/check-address`, 'POST'],
    ['GET', `/orgs/${UNKNOWN_ID}/api-keys/check-address?a=/b`, 'POST'],
    ['OPTIONS', `/orgs/${UNKNOWN_ID}/api-keys/check-address`, 'POST'],
    ['PATCH', `/orgs/${UNKNOWN_ID}/members/me`, 'DELETE'],
  ])('answers %s %s with 405 and the allowed methods, to anyone', async (method, path, allow) => {
    const reply = await fetch(service.url + path, { method });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow]);
    expect(await reply.json()).toMatchObject({ code: 'method_not_allowed', request_id: expect.stringMatching(ID) });
  });

  it.each(['/api/v1/runs/', '/api/v1//forecasts', '/api/v1/nothing', '/api', '/doc', '/orgs/'])(
    'allows no method on %s',
    async (path) => {
      expect((await fetch(service.url + path, { method: 'DELETE' })).status).toBe(404);
    },
  );

  it.each([
    [
      'headers beyond the limit',
      `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['a non-HTTP request', 'HELLO\r\n\r\n', 400, 'invalid_request'],
    ['HTTP/1.1 without a Host', 'GET /changelog HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'invalid_request'],
    [
      'HTTP/1.1 with two Hosts',
      'GET /releases HTTP/1.1\r\nhost: x\r\nhost: y\r\nconnection: close\r\n\r\n',
      400,
      'invalid_request',
    ],
    ['CONNECT', 'CONNECT example.test:443 HTTP/1.1\r\nhost: example.test:443\r\n\r\n', 405, 'method_not_allowed'],
    [
      'a wrong method for an absolute-form target',
      'POST HTTP://x/api/v1/usage HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      405,
      'method_not_allowed',
    ],
    [
      'such a target without a path',
      'POST http://x?y HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      405,
      'method_not_allowed',
    ],
    [
      'a path that leads out of the documentation',
      'GET /docs/../openapi.json HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      404,
      'not_found',
    ],
    [
      'the target * with a method other than OPTIONS',
      'GET * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      404,
      'not_found',
    ],
    [
      'an unknown expectation, which is ignored',
      'GET /api/v1/runs HTTP/1.1\r\nhost: x\r\nexpect: a-miracle\r\nconnection: close\r\n\r\n',
      401,
      'api_key_invalid',
    ],
  ])('answers %s with a problem', async (_what, bytes, status, code) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string];
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain('content-type: application/problem+json');
    const id = /^x-request-id: (.*)$/m.exec(head)?.[1]?.trim();
    expect(JSON.parse(body)).toMatchObject({ status, code, request_id: id });
    expect(id).toMatch(ID);
  });

  it('serves the feed for an absolute-form request target', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET http://x/odata/v4/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string];
    expect(head).toMatch(/^HTTP\/1.1 401 /);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'api_key_invalid' } });
  });

  describe('an upload refused before it is complete', () => {
    const HEAD = 'POST /api/v1/actuals HTTP/1.1\r\nhost: x\r\ncontent-type: text/csv\r\ncontent-length: 200000\r\n\r\n';
    const half = 'x'.repeat(100_000);
    function send(): { socket: Socket; reply: Promise<string>; replied: () => boolean } {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname);
      let replied = false;
      socket.once('data', () => (replied = true));
      socket.write(HEAD + half);
      return { socket, reply: text(socket), replied: () => replied };
    }

    it('is answered after the rest has arrived, so that no proxy reuses the connection too early', async () => {
      const { socket, reply, replied } = send();
      await sleep(300); // in which an answer before the rest would be here
      expect(replied()).toBe(false);
      socket.write(`${half}GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      expect((await reply).match(/HTTP\/1.1 \d+|connection: [\w-]+/gi)).toEqual([
        'HTTP/1.1 401',
        'Connection: keep-alive',
        'HTTP/1.1 200',
        'Connection: close',
      ]);
    });

    it('is answered even if the rest does not arrive, and the connection is closed', async () => {
      const { reply } = send();
      expect((await reply).match(/HTTP\/1.1 \d+|connection: [\w-]+/gi)).toEqual(['HTTP/1.1 401', 'connection: close']);
    });
  });

  it('gets 413 when a body of unannounced length turns out too large', async () => {
    const pieces = Array.from({ length: 32 }, () => 'x'.repeat(65_536));
    const reply = await fetch(`${service.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Readable.from(pieces),
      duplex: 'half',
    });
    expect([reply.status, await reply.json()]).toMatchObject([413, { code: 'body_too_large' }]);
  });

  it.each([
    ['{"reason": "late", "force": true}', 400, ['reason', 'force']],
    ['[]', 400, ['body']],
    ['"late"', 400, ['body']],
    ['{}', 404, undefined],
    ['', 404, undefined],
  ])('answers the body %j on a route that takes none with %i, and strangers with 401', async (body, status, params) => {
    const cancel = (key: string) =>
      fetch(`${service.url}/api/v1/runs/${UNKNOWN_ID}/cancel`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body,
      });
    const reply = await cancel(tenant.workspaceKey);
    const { errors } = (await reply.json()) as { errors?: { param: string }[] };
    expect([reply.status, errors?.map(({ param }) => param)]).toEqual([status, params]);
    expect((await cancel('fk_unknown')).status).toBe(401);
  });

  it.each([
    ['POST', '/auth/logout'],
    ['DELETE', '/auth/sessions'],
  ])('refuses a body of another type or size at %s %s, which takes none', async (method, path) => {
    const { token } = await createMember(service.database, tenant.organizationId, 'owner');
    const send = async (type: string, body: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      return (await fetch(service.url + path, { method, headers, body })).status;
    };
    expect(await send('text/plain', 'now')).toBe(415);
    expect(await send('application/json', JSON.stringify({ reason: 'x'.repeat(1_100_000) }))).toBe(413);
  });

  it('links to the entry points at /', async () => {
    const reply = await fetch(service.url);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const links = [...(await reply.text()).matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!);
    expect(links).toContain('docs');
    for (const link of links)
      expect([link, (await fetch(new URL(link, `${service.url}/`))).status]).toEqual([link, 200]);
  });

  it('lists every route at /docs in the text of the page', async () => {
    const page = (await raw('/docs')).bytes.toString();
    const { paths } = JSON.parse((await raw('/openapi.json')).bytes.toString()) as { paths: Record<string, object> };
    const routes = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `<code>${method.toUpperCase()} ${path}</code>`),
    );
    expect(routes.length).toBeGreaterThan(100);
    expect(routes.filter((route) => !page.includes(route))).toEqual([]);
    expect(page).toContain('<meta name="viewport"');
  });

  it('serves the guides as pages without scripts', async () => {
    for (const path of ['/docs/guides', '/docs/guides/', '/docs/guides/api', '/docs/guides/recipes/6-python']) {
      const { status, headers, bytes } = await raw(path);
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'sha256-");
      expect(bytes.toString()).not.toContain('<script');
      expect((await raw(path, { 'if-none-match': headers['etag']! })).status).toBe(304);
    }
    for (const name of ['operating', 'operating-install', 'api.md', '%2e%2e/README', 'nothing']) {
      expect([name, (await raw(`/docs/guides/${name}`)).status]).toEqual([name, 404]);
    }
  });

  it.each(['package.json', 'swagger-ui.css.map', 'index.html', 'swagger-initializer.js'])(
    'serves only what the page uses under /docs, and not %s',
    async (file) => {
      expect((await raw(`/docs/${file}`)).status).toBe(404);
    },
  );

  it('allows only public pages to be cached, with revalidation, and forbids content sniffing', async () => {
    for (const [path, status, kept] of [
      ['/api/v1/series', 200, 'no-store'],
      ['/api/v1/usage?x=1', 400, 'no-store'],
      ['/auth/sessions', 401, 'no-store'],
      ['/health/ready', 200, 'no-store'],
      ['/changelog', 200, 'public, no-cache'],
      ['/docs/swagger-ui.css', 200, 'public, max-age=0'],
    ] as const) {
      const reply = await raw(path);
      expect([path, reply.status, reply.headers['cache-control']]).toEqual([path, status, kept]);
      expect(reply.headers['x-content-type-options']).toBe('nosniff');
    }
    expect((await raw('/docs')).headers['content-security-policy']).toContain("script-src 'self' 'sha256-");
  });

  it.each([
    [
      'POST',
      '/api/v1/runs',
      { config_overrides: { models: 'auto' } },
      'config_overrides.models',
      /^must be a list of auto, /,
    ],
    [
      'POST',
      '/api/v1/runs',
      { config_overrides: { series: { unique_ids: [4711] } } },
      'config_overrides.series.unique_ids',
      /^must be a list of strings$/,
    ],
    [
      'POST',
      '/api/v1/runs',
      { config_overrides: { series: { category: 5 } } },
      'config_overrides.series.category',
      /^must be a string$/,
    ],
    ['POST', '/api/v1/runs', [], 'body', /^must be a JSON object$/],
    ['GET', '/api/v1/runs?limit=1&limit=2', undefined, 'limit', /^must be given only once$/],
    ['GET', '/api/v1/series/P0001/forecast', undefined, 'run_id', /^is required and must be the id of a run$/],
    ['GET', '/api/v1/series/P0001/forecast?run_id=', undefined, 'run_id', /^must be the id of a run$/],
    ['GET', '/api/v1/runs?workspace_id=', undefined, 'workspace_id', /^must be the id of a workspace$/],
    ['GET', '/api/v1/series?workspace_id=', undefined, 'workspace_id', /^must be the id of a workspace$/],
    ['GET', '/api/v1/series/P0001?workspace_id=', undefined, 'workspace_id', /^must be the id of a workspace$/],
    ['GET', '/api/v1/alerts?workspace_id=', undefined, 'workspace_id', /^must be the id of a workspace$/],
    ['GET', '/api/v1/series?unique_id=', undefined, 'unique_id', /^must not be empty$/],
    ['GET', '/api/v1/series?category=', undefined, 'category', /^must not be empty$/],
    ['GET', `/api/v1/runs/${UNKNOWN_ID}/forecasts?series_id=`, undefined, 'series_id', /^must not be empty$/],
    ['POST', '/api/v1/runs', { workspace_id: '' }, 'workspace_id', /^must be the id of a workspace$/],
    ['POST', '/api/v1/actuals?workspace_id=', { rows: [] }, 'workspace_id', /^must be the id of a workspace$/],
    [
      'POST',
      '/api/v1/actuals',
      { workspace_id: '', rows: [{ unique_id: 'A', ds: '2026-01', y: 1 }] },
      'workspace_id',
      /must be the id of a workspace$/,
    ],
    ['POST', '/auth/login', { password: 'x' }, 'email', /^is required/],
    ['POST', '/auth/login', { email: 'a@example.com', password: 1 }, 'password', /^must be a string$/],
    ['POST', '/auth/invitations/accept', { token: 1 }, 'token', /^must be a string$/],
    ['POST', '/auth/password-reset/confirm', { token: 1 }, 'token', /^must be a string$/],
    ['POST', '/auth/email/confirm', { token: 1 }, 'token', /^must be a string$/],
  ])('explains what is wrong with %s %s %j', async (method, path, body, param, message) => {
    const reply = await fetch(service.url + path, {
      method,
      headers: { 'x-api-key': tenant.workspaceKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([reply.status, await reply.json()]).toEqual([
      400,
      expect.objectContaining({
        errors: expect.arrayContaining([{ param, message: expect.stringMatching(message) }]),
      }),
    ]);
  });

  const uploads = 'text/csv, application/json or application/x-ndjson, with the file itself as the body';
  it.each([
    ['/api/v1/runs', 'application/json', 'application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
    ['/api/v1/runs', 'application/json', undefined, 'none that is valid'],
    ['/api/v1/runs', 'application/json', 'json', 'none that is valid'],
    ['/api/v1/actuals', uploads, 'text/plain', 'text/plain'],
    ['/api/v1/actuals', uploads, undefined, 'none that is valid'],
  ])('states at %s that it accepts %s, and which Content-Type it received: %s', async (path, taken, sent, received) => {
    const reply = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'x-api-key': tenant.workspaceKey, ...(sent === undefined ? {} : { 'content-type': sent }) },
      body: Buffer.from('unique_id,ds,y'), // bytes, for which fetch names no type itself
    });
    expect([reply.status, await reply.json()]).toEqual([
      415,
      expect.objectContaining({
        code: 'unsupported_media_type',
        detail: `This route accepts the Content-Type ${taken}; the request has ${received}.`,
      }),
    ]);
  });

  describe('compression', () => {
    it.each(['/api/v1/series?limit=30', '/openapi.json', '/docs/swagger-ui.css'])(
      'gzips %s for clients that accept it, and sends others the same text',
      async (path) => {
        const plain = await raw(path);
        const packed = await raw(path, { 'accept-encoding': 'gzip, deflate, br' });
        expect(plain.headers['content-encoding']).toBeUndefined();
        expect(packed.headers['content-encoding']).toBe('gzip');
        for (const { headers } of [plain, packed]) expect(headers.vary).toContain('accept-encoding');
        expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
        expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
      },
    );

    it.each([
      ['a short reply', '/health/ready', 'gzip'],
      ['a client that refuses it', '/openapi.json', 'gzip;q=0'],
      ['a client that accepts other encodings only', '/openapi.json', 'br'],
    ])('leaves %s uncompressed', async (_what, path, accepted) => {
      const reply = await raw(path, { 'accept-encoding': accepted });
      expect([reply.status, reply.headers['content-encoding']]).toEqual([200, undefined]);
    });

    it('answers HEAD without a body and unchanged text with 304', async () => {
      const gzip = { 'accept-encoding': 'gzip' };
      const head = await raw('/openapi.json', gzip, 'HEAD');
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      const css = await raw('/docs/swagger-ui.css', gzip, 'HEAD');
      expect([css.status, css.bytes.length]).toEqual([200, 0]);
      for (const path of ['/changelog', '/openapi.json', '/docs']) {
        const page = await raw(path, gzip);
        expect(page.headers.etag).toMatch(/^W\/"/);
        const again = await raw(path, { ...gzip, 'if-none-match': page.headers.etag! });
        expect([again.status, again.bytes.length, again.headers['content-encoding']]).toEqual([304, 0, undefined]);
        expect([again.headers['content-type'], again.headers.vary]).toEqual([undefined, page.headers.vary]);
      }
    });
  });
});
