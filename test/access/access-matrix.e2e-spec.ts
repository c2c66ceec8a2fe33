import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/platform/ids.js';
import { admissionOf, type Principal, PRINCIPALS } from '../support/routes/admission.js';
import { addMember, createSession, createTenant, createUser } from '../support/builders.js';
import { type Route, routesOf } from '../support/routes/routes.js';
import { startTestService, type TestService } from '../support/test-service.js';

const GUARD_CODES = [
  'api_key_invalid',
  'session_required',
  'operator_required',
  'operator_second_factor_required',
  'member_second_factor_required',
  'role_required',
  'workspace_forbidden',
  'organization_suspended',
  'ip_not_allowed',
  'plan_not_eligible',
  'api_key_locked',
];

describe('every route, called with every kind of credentials', () => {
  let service: TestService;
  beforeAll(async () => {
    // without a public address webhooks are switched off, and would refuse before they look at anything
    service = await startTestService({ environment: { PUBLIC_URL: 'https://forecasts.example.com' } });
  });
  afterAll(() => service.close());

  /** A tenant, and headers of everyone as who calls about it. */
  async function cast() {
    const db = service.database;
    const own = await createTenant(service);
    let other: ReturnType<typeof createTenant> | undefined;
    const foreign = () => (other ??= createTenant(service));
    const headersOf = async (principal: Principal): Promise<Record<string, string>> => {
      if (principal === 'nobody') return {};
      if (principal === 'organization key') return { 'x-api-key': own.organizationKey };
      if (principal === 'workspace key') return { 'x-api-key': own.workspaceKey };
      const user = await createUser(db, { isOperator: principal === 'operator' });
      if (principal === 'stranger') await addMember(db, (await foreign()).organizationId, user.id, 'owner');
      else if (principal !== 'operator') await addMember(db, own.organizationId, user.id, principal);
      return { authorization: `Bearer ${await createSession(db, user.id)}` };
    };
    return { own, foreign, headersOf };
  }

  async function call(route: Route, ids: Record<string, string>, headers: Record<string, string>) {
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? newId());
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(route.method);
    const reply = await fetch(service.url + path, {
      method: route.method,
      headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      ...(hasBody ? { body: '{}' } : {}),
      redirect: 'manual',
    });
    const text = await reply.text();
    const isProblem =
      /problem\+json|application\/json/.test(reply.headers.get('content-type') ?? '') && reply.status >= 400;
    const refusal = isProblem ? (JSON.parse(text) as Record<string, unknown>) : {};
    const body = (refusal['error'] ?? refusal) as Record<string, unknown>; // under /odata in OData's form
    return { status: reply.status, code: body['code'] as string | undefined, body };
  }

  it('answers as declared', async () => {
    const all = routesOf(service.app);
    expect(all.length).toBeGreaterThan(40);
    const wrong: string[] = [];
    const shared = await cast(); // by calls that change nothing
    const sharedHeaders = new Map<Principal, Record<string, string>>();
    for (const principal of PRINCIPALS) sharedHeaders.set(principal, await shared.headersOf(principal));
    for (const route of all) {
      const changed = route.method === 'GET' ? shared : await cast(); // a change may keep others from calling
      for (const principal of PRINCIPALS) {
        const expected = admissionOf(route.declaration, principal);
        const isAdmitted = expected === 'admitted';
        const { own, headersOf } = isAdmitted ? changed : shared;
        const ids = { org_id: own.organizationId, workspace_id: own.workspaceId };
        const headers = own === shared.own ? sharedHeaders.get(principal)! : await headersOf(principal);
        const answer = await call(route, ids, headers);
        const fits = isAdmitted
          ? !GUARD_CODES.includes(answer.code ?? '') && (answer.status < 500 || answer.code === 'not_implemented')
          : answer.status === expected[0] && answer.code === expected[1];
        if (!fits)
          wrong.push(
            `${route.method} ${route.path} by ${principal}: ${answer.status} ${answer.code}, expected ${String(expected)}`,
          );
      }
    }
    expect(wrong).toEqual([]);
  });

  it('answers foreign, unknown and malformed ids of organizations and workspaces alike', async () => {
    const { foreign: makeForeign, headersOf } = await cast();
    const foreign = await makeForeign();
    const headers = await headersOf('owner');
    for (const route of routesOf(service.app)) {
      if (route.declaration.kind !== 'organization' && route.declaration.kind !== 'workspace') continue;
      const parameter = route.declaration.kind === 'organization' ? 'org_id' : 'workspace_id';
      const foreignId = route.declaration.kind === 'organization' ? foreign.organizationId : foreign.workspaceId;
      const answers = [];
      for (const id of [foreignId, newId(), 'nonsense']) answers.push(await call(route, { [parameter]: id }, headers));
      const alike = answers.map((answer) => JSON.stringify({ ...answer.body, request_id: '' }));
      expect([route.path, answers[0]!.status, new Set(alike).size]).toEqual([route.path, 404, 1]);
    }
  });
});
