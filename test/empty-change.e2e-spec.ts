import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../src/platform/ids.js';
import { addMember, createSession, createTenant, createUser } from './support/builders.js';
import { routesOf } from './support/routes/routes.js';
import { startTestService, type TestService } from './support/test-service.js';

describe('a PATCH that changes nothing', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let session: string;
  beforeAll(async () => {
    service = await startTestService();
    tenant = await createTenant(service);
    const user = await createUser(service.database, { isOperator: true });
    await addMember(service.database, tenant.organizationId, user.id, 'owner');
    session = await createSession(service.database, user.id);
  });
  afterAll(() => service.close());

  /** @param body as it is sent; none where undefined */
  async function patch(path: string, body: string | undefined) {
    const reply = await fetch(service.url + path, {
      method: 'PATCH',
      headers: {
        ...(path.startsWith('/api/') ? { 'x-api-key': tenant.workspaceKey } : { authorization: `Bearer ${session}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const { code, errors } = (await reply.json()) as { code?: string; errors?: { param: string; message: string }[] };
    return { status: reply.status, code, errors };
  }

  it('is refused by every route, listing the members it could have changed', async () => {
    const ids: Record<string, string> = { org_id: tenant.organizationId, workspace_id: tenant.workspaceId };
    const routes = routesOf(service.app).filter(({ method }) => method === 'PATCH');
    expect(routes.length).toBeGreaterThan(12);
    for (const route of routes) {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? newId());
      for (const body of [undefined, '', '{}']) {
        const answer = await patch(path, body);
        expect([route.path, body, answer]).toEqual([
          route.path,
          body,
          {
            status: 400,
            code: 'invalid_request',
            errors: [
              expect.objectContaining({
                message: expect.stringMatching(/^must contain at least one of \w+|^is required/),
              }),
            ],
          },
        ]);
      }
    }
  });

  it.each([
    ['/orgs/:org_id/workspaces/:workspace_id', '{}', 'name, time_zone'],
    [
      '/workspaces/:workspace_id/series/A',
      undefined,
      'product_name, category, unit, metadata, important, replaced_by, lead_time_months, lead_time_sd_months, target_service_level',
    ],
    ['/admin/orgs/:org_id', '{"reason": "unpaid"}', 'plan, suspended'],
    ['/admin/community/topics/:org_id', '{"reason": "advertising"}', 'pinned, locked, hidden, resolve_reports'],
  ])('is refused with their names: PATCH %s with %s', async (route, body, members) => {
    const path = route.replace(':org_id', tenant.organizationId).replace(':workspace_id', tenant.workspaceId);
    expect((await patch(path, body)).errors).toEqual([
      { param: 'body', message: `must contain at least one of ${members}` },
    ]);
  });

  it.each([
    ['[]', 'body', 'must be a JSON object'],
    ['""', 'body', 'must be a JSON object'],
    ['{"nmae": "Retail"}', 'nmae', 'is not a known parameter; known parameters are name, time_zone'],
  ])('gets a more specific error if there is one: %s', async (body, param, message) => {
    const path = `/orgs/${tenant.organizationId}/workspaces/${tenant.workspaceId}`;
    expect((await patch(path, body)).errors).toEqual([{ param, message }]);
  });
});
