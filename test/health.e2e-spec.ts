import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from './support/test-service.js';

describe('health', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('reports ready when the database answers', async () => {
    const reply = await fetch(`${service.url}/health/ready`);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({ status: 'ready' });
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is the only endpoint of a worker', async () => {
    const worker = await startTestService({ role: 'worker' });
    try {
      for (const path of ['/health/live', '/health/ready']) expect((await fetch(worker.url + path)).status).toBe(200);
      for (const path of ['/', '/docs', '/health', '/auth/me', '/releases', '/community/topics', '/api/v1/usage']) {
        const reply = await fetch(worker.url + path);
        expect([path, reply.status]).toEqual([path, 503]);
        expect(await reply.json()).toMatchObject({ code: 'not_ready', detail: expect.stringContaining('is a worker') });
      }
    } finally {
      await worker.close();
    }
  });
});
