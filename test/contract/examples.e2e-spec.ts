import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXAMPLE_ID } from '../../src/platform/http/openapi/example-ids.js';
import { documentWithoutDatabase } from '../../src/start/openapi/document.js';
import type { Operation } from '../../src/start/openapi/operation.js';
import { addMember, createSession, createTenant, createUser } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

/** Routes that end the session or need a code or a signature. */
const NOT_SENT = /^\/(auth|webhooks)\//;
/** Where nothing has the id of an example, 404 is a right answer. */
const taken = (status: number): boolean => (status >= 200 && status < 300) || status === 404;
/** That for organizations shuts its keys' address out, those for operators suspend it: they come last. */
const turn = (path: string): number =>
  ['/api/', '/workspaces/', '/orgs/', '/admin/'].findIndex((root) => path.startsWith(root));

describe('request body examples', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' }); // workers would ask the shop of an example
  });
  afterAll(() => service.close());

  it('are accepted as Swagger UI sends them', async () => {
    const tenant = await createTenant(service);
    const user = await createUser(service.database, { isOperator: true });
    await addMember(service.database, tenant.organizationId, user.id, 'owner');
    const token = await createSession(service.database, user.id);
    const { paths } = await documentWithoutDatabase();
    const refused: string[] = [];
    let sent = 0;
    for (const [path, item] of Object.entries(paths).sort(([a], [b]) => turn(a) - turn(b))) {
      for (const [method, operation] of Object.entries(item) as [string, Operation][]) {
        const example = operation.requestBody?.content?.['application/json']?.example;
        if (example === undefined || NOT_SENT.test(path)) continue;
        const place = path
          .replace('{org_id}', tenant.organizationId)
          .replace('{workspace_id}', tenant.workspaceId)
          .replaceAll(/\{\w+\}/g, EXAMPLE_ID.alert);
        const reply = await fetch(service.url + place, {
          method: method.toUpperCase(),
          headers: {
            'content-type': 'application/json',
            ...(path.startsWith('/api/') ? { 'x-api-key': tenant.workspaceKey } : { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(example).replaceAll(EXAMPLE_ID.workspace, tenant.workspaceId),
        });
        const text = await reply.text();
        sent += 1;
        if (!taken(reply.status)) refused.push(`${method} ${path}: ${text}`);
      }
    }
    expect(sent).toBeGreaterThan(20);
    expect(refused).toEqual([]);
  });
});
