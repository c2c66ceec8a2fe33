import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from './support/test-service.js';

describe('health', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('says ready when the database answers', async () => {
    const reply = await fetch(`${service.url}/health/ready`);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({ status: 'ready' });
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('answers an unknown route and a malformed URL with a problem that carries the request id', async () => {
    for (const [path, status, code] of [
      ['/nowhere', 404, 'not_found'],
      ['/%zz', 400, 'invalid_request'],
    ] as const) {
      const reply = await fetch(service.url + path);
      const body = (await reply.json()) as Record<string, unknown>;
      expect([reply.status, body['code'], reply.headers.get('content-type')]).toEqual([
        status,
        code,
        'application/problem+json; charset=utf-8',
      ]);
      expect(body['request_id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
