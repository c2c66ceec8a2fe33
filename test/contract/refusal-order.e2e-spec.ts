import { beforeAll, describe, expect, it } from '@jest/globals';
import { encodeCursor } from '../../src/platform/http/pagination.js';
import { Api } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createTenant, UNKNOWN_ID } from '../support/builders.js';
import { sharedService } from '../support/shared-service.js';
import { committedOpenApi, type TestService } from '../support/test-service.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
}

/** The lists that come in pages, with what their addresses take. */
const LISTS = Object.entries(committedOpenApi().paths).flatMap(([path, { get }]) => {
  const parameters = (get?.parameters ?? []) as Parameter[];
  return parameters.some(({ name }) => name === 'cursor') ? [{ path, parameters }] : [];
});
const [OF_KEYS, OF_MEMBERS] = [/^\/api\/v1\//, /^\/workspaces\//].map((surface) =>
  LISTS.filter(({ path }) => surface.test(path)),
);

describe.each([
  ['no list', 'x'],
  ['another list, ordered by id', encodeCursor(['others', UNKNOWN_ID])],
  ['another list, ordered by time', encodeCursor(['others', '2026-01-01T00:00:00.000Z', UNKNOWN_ID])],
])('a list requested with a cursor of %s', (_, cursor) => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  beforeAll(async () => {
    service = await sharedService({ role: 'api' });
    tenant = await createTenant(service);
  });

  it.each(OF_KEYS!)('$path refuses it before looking up the resource', async ({ path, parameters }) => {
    const query = new URLSearchParams({ cursor });
    if (parameters.some(({ name, in: place }) => name === 'workspace_id' && place === 'query')) {
      query.set('workspace_id', UNKNOWN_ID);
    }
    for (const key of [tenant.workspaceKey, tenant.organizationKey]) {
      const reply = await new Api(service.url, key).get(`${path.replace(/\{\w+\}/g, UNKNOWN_ID)}?${query.toString()}`);
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ param: 'cursor' }] } });
    }
  });

  it.each(OF_MEMBERS!)('$path refuses it after checking membership, before anything else', async ({ path }) => {
    const { token } = await createMember(service.database, tenant.organizationId, 'owner');
    const ask = (workspaceId: string) => {
      const address = path.replace('{workspace_id}', workspaceId).replace(/\{\w+\}/g, UNKNOWN_ID);
      return new AppClient(service.url, token).get(`${address}?cursor=${cursor}`);
    };
    expect(await ask(tenant.workspaceId)).toMatchObject({ status: 400, body: { errors: [{ param: 'cursor' }] } });
    expect(await ask(UNKNOWN_ID)).toMatchObject({ status: 404 });
  });
});
