import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccessDeclaration, MEMBER_ROLES, type MemberRole } from '../../src/platform/http/access-declaration.js';
import { newId } from '../../src/platform/ids.js';
import { addMember, createSession, createTenant, createUser } from '../support/builders.js';
import { type Route, routesOf } from '../support/routes.js';
import { startTestService, type TestService } from '../support/test-service.js';

const SESSIONS = [...MEMBER_ROLES, 'operator', 'stranger'] as const;
const KEYS = ['organization key', 'workspace key'] as const;
const PRINCIPALS = ['nobody', ...KEYS, ...SESSIONS] as const;
type Principal = (typeof PRINCIPALS)[number];

/** What the guard must answer: a refusal, or to let the request through to the handler. */
type Expectation = readonly [status: number, code: string] | 'admitted';

/** The contract of section 2, by declaration; `stranger` owns another organization, `operator` belongs to none. */
function expected(declaration: AccessDeclaration, principal: Principal): Expectation {
  const session = SESSIONS.find((kind) => kind === principal);
  switch (declaration.kind) {
    case 'public':
    case 'signed_webhook':
      return 'admitted';
    case 'public_api':
      return KEYS.some((kind) => kind === principal) ? 'admitted' : [401, 'api_key_invalid'];
    case 'signed_in':
      return session ? 'admitted' : [401, 'session_required'];
    case 'operator':
      if (!session) return [401, 'session_required'];
      return session === 'operator' ? 'admitted' : [403, 'operator_required'];
    case 'organization':
    case 'workspace':
      if (!session) return [401, 'session_required'];
      if (session === 'operator' || session === 'stranger') return [404, 'not_found'];
      return rank(session) >= rank(declaration.role) ? 'admitted' : [403, 'role_required'];
  }
}

const rank = (role: MemberRole): number => MEMBER_ROLES.indexOf(role);
const GUARD_CODES = [
  'api_key_invalid',
  'session_required',
  'operator_required',
  'organization_suspended',
  'ip_not_allowed',
  'plan_not_eligible',
  'api_key_locked',
];

describe('every route, called by everyone', () => {
  let service: TestService;
  beforeAll(async () => {
    // without a public address webhooks are switched off, and would refuse before they look at anything
    service = await startTestService({ environment: { PUBLIC_URL: 'https://forecasts.example.com' } });
  });
  afterAll(() => service.close());

  /** A tenant of its own for every route, because admitted calls may change it. */
  async function cast() {
    const db = service.database;
    const own = await createTenant(service);
    const foreign = await createTenant(service);
    const headersOf = async (principal: Principal): Promise<Record<string, string>> => {
      if (principal === 'nobody') return {};
      if (principal === 'organization key') return { 'x-api-key': own.organizationKey };
      if (principal === 'workspace key') return { 'x-api-key': own.workspaceKey };
      const user = await createUser(db, { isOperator: principal === 'operator' });
      if (principal === 'stranger') await addMember(db, foreign.organizationId, user.id, 'owner');
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
    const told = /problem\+json|application\/json/.test(reply.headers.get('content-type') ?? '') && reply.status >= 400;
    const refusal = told ? (JSON.parse(text) as Record<string, unknown>) : {};
    const body = (refusal['error'] ?? refusal) as Record<string, unknown>; // under /odata in OData's form
    return { status: reply.status, code: body['code'] as string | undefined, body };
  }

  it('answers as its declaration says', async () => {
    const all = routesOf(service.app);
    expect(all.length).toBeGreaterThan(40);
    const wrong: string[] = [];
    for (const route of all) {
      const { own, headersOf } = await cast();
      const ids = { org_id: own.organizationId, workspace_id: own.workspaceId };
      for (const principal of PRINCIPALS) {
        const expectation = expected(route.declaration, principal);
        const answer = await call(route, ids, await headersOf(principal));
        const fits =
          expectation === 'admitted'
            ? !GUARD_CODES.includes(answer.code ?? '') && (answer.status < 500 || answer.code === 'not_implemented')
            : answer.status === expectation[0] && answer.code === expectation[1];
        if (!fits)
          wrong.push(
            `${route.method} ${route.path} by ${principal}: ${answer.status} ${answer.code}, expected ${String(expectation)}`,
          );
      }
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it('answers foreign, unknown and malformed ids of organizations and workspaces alike', async () => {
    const { foreign, headersOf } = await cast();
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
  }, 120_000);
});
