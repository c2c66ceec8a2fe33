import { beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { addMember, createSession, createTenant, createUser, UNKNOWN_ID } from '../support/builders.js';
import { sharedService } from '../support/shared-service.js';
import { committedOpenApi, type TestService } from '../support/test-service.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** Documented as refusing what none of its types is asked for by. */
const negotiating = Object.entries(committedOpenApi().paths).flatMap(([path, { get }]) =>
  get?.responses['406'] === undefined ? [] : [[path, get] as const],
);

let service: TestService;
let headers: Record<string, string>;
let ids: Record<string, string>;

beforeAll(async () => {
  service = await sharedService({ role: 'api' });
  const { organizationId, workspaceId, organizationKey } = await createTenant(service);
  const user = await createUser(service.database, { isOperator: true });
  await addMember(service.database, organizationId, user.id, 'owner');
  const token = await createSession(service.database, user.id);
  headers = { 'x-api-key': organizationKey, authorization: `Bearer ${token}`, accept: 'audio/ogg' };
  ids = { org_id: organizationId, workspace_id: workspaceId, resource: 'Series', member: 'unique_id' };
});

function addressOf(path: string, { parameters = [] }: Operation): string {
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? UNKNOWN_ID);
  const asked = parameters.flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' && parameter.required === true
      ? [`${parameter.name}=${UNKNOWN_ID}`]
      : [],
  );
  return `${service.url}${named}?${asked.join('&')}`;
}

it.each(negotiating)('varies on Accept in replies to %s', async (path, operation) => {
  const reply = await fetch(addressOf(path, operation), { headers });
  if (!/\$count|\$value/.test(path)) expect(reply.status).toBe(406); // they are text, whatever is asked for
  expect(reply.headers.get('vary')?.split(/,\s*/)).toContain('accept');
});
