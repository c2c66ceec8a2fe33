import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from '../support/builders.js';
import { sharedService } from '../support/shared-service.js';
import type { TestService } from '../support/test-service.js';

describe('property names of every JavaScript object', () => {
  let service: TestService;
  let key: string;
  beforeAll(async () => {
    service = await sharedService({ role: 'api' });
    key = (await createTenant(service)).workspaceKey;
  });

  const headers = () => ({ 'x-api-key': key, 'content-type': 'application/json' });

  it.each([
    ['/api/v1/series?constructor=o', 'constructor'],
    ['/api/v1/usage?__proto__=o', '__proto__'],
    ['/releases?__proto__=', '__proto__'],
    ['/api/v1/runs?toString=1', 'toString'],
    ['/api/v1/series?prototype=1', 'prototype'],
  ])('are unknown query parameters: %s', async (path, param) => {
    const reply = await fetch(service.url + path, { headers: headers() });
    expect([reply.status, await reply.json()]).toMatchObject([400, { errors: [{ param }] }]);
  });

  it.each(['constructor', '__proto__', 'prototype'])('are refused in a body: %s', async (name) => {
    const body = `{"config_overrides": {"${name}": 12}}`;
    const reply = await fetch(`${service.url}/api/v1/runs`, { method: 'POST', headers: headers(), body });
    const refusal = (await reply.json()) as { detail: string };
    expect([reply.status, refusal.detail]).toEqual([400, expect.stringContaining(name)]);
  });
});
