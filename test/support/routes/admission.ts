import {
  type AccessDeclaration,
  MEMBER_ROLES,
  type MemberRole,
} from '../../../src/platform/http/access-declaration.js';

const SESSIONS = [...MEMBER_ROLES, 'operator', 'stranger'] as const;
const KEYS = ['organization key', 'workspace key'] as const;

/** All kinds of callers: `stranger` owns another organization, `operator` belongs to none. */
export const PRINCIPALS = ['nobody', ...KEYS, ...SESSIONS] as const;
export type Principal = (typeof PRINCIPALS)[number];

/** The expected result of the guard: an error, or passing the request on to the handler. */
export type Admission = readonly [status: number, code: string] | 'admitted';

/** The expected result, by the contract (section 2) and the route's declaration, of a call about the members' and keys' own tenant. */
export function admissionOf(declaration: AccessDeclaration, principal: Principal): Admission {
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
