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
});
