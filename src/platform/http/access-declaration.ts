import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBasicAuth, ApiBearerAuth, ApiSecurity } from '@nestjs/swagger';
import { ApiProblem } from './api-problem.js';

/** Roles of members in an organization, from lowest to highest. */
export const MEMBER_ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** The role and those above it, for people. */
export function fromRole(role: MemberRole): string {
  return role === MEMBER_ROLES.at(-1) ? role : `${role} or higher`;
}

/** Who may call a route. Every route has exactly one declaration, which the access guard enforces. */
export type AccessDeclaration =
  /** `probe`: called by monitoring, so never throttled. */
  | { readonly kind: 'public'; readonly probe: boolean }
  /** `feed`: the key may also be sent as the password of HTTP Basic or as `?api_key=`, as BI tools do. */
  | { readonly kind: 'public_api'; readonly feed: boolean }
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'operator' }
  | { readonly kind: 'organization'; readonly role: MemberRole }
  | { readonly kind: 'workspace'; readonly role: MemberRole }
  | { readonly kind: 'signed_webhook' };

/** Metadata key of the declaration, on the method, else on its controller. */
export const ACCESS_DECLARATION = 'access-declaration';

/** Names of the security schemes in the OpenAPI document. */
export const API_KEY_SECURITY = 'api_key';
export const SESSION_SECURITY = 'session';
export const BASIC_SECURITY = 'basic';
export const API_KEY_QUERY_SECURITY = 'api_key_query';
/** The query parameter that carries a key if the declaration allows it; it must not be logged or copied into links. */
export const API_KEY_PARAMETER = 'api_key';

type RouteDecorator = MethodDecorator & ClassDecorator;

const declare = (declaration: AccessDeclaration): RouteDecorator => SetMetadata(ACCESS_DECLARATION, declaration);

const ofSession = (declaration: AccessDeclaration): RouteDecorator =>
  applyDecorators(
    declare(declaration),
    ApiBearerAuth(SESSION_SECURITY),
    ApiProblem(401, 'Not signed in, or the session has ended.', ['session_required']),
  );

/** Anyone may call, without credentials. */
export const Public = (options: { readonly probe?: boolean } = {}): RouteDecorator =>
  declare({ kind: 'public', probe: options.probe === true });

/** Callers with an API key (X-API-Key) of an organization on the Growth plan or higher. */
export const PublicApi = (options: { readonly feed?: boolean } = {}): RouteDecorator =>
  applyDecorators(
    declare({ kind: 'public_api', feed: options.feed === true }),
    ApiSecurity(API_KEY_SECURITY),
    ...(options.feed === true ? [ApiBasicAuth(BASIC_SECURITY), ApiSecurity(API_KEY_QUERY_SECURITY)] : []),
    ApiProblem(401, 'The API key is missing, malformed, unknown, revoked or expired.', ['api_key_invalid']),
    ApiProblem(403, 'The key is not allowed to do this.', [
      'api_key_locked',
      'organization_suspended',
      'ip_not_allowed',
      'plan_not_eligible',
      'workspace_forbidden',
    ]),
    ApiProblem(
      503,
      'The public API is switched off for maintenance, or the service cannot handle the request at the moment; see Retry-After.',
      ['public_api_disabled'],
    ),
  );

export const SignedIn = (): RouteDecorator => ofSession({ kind: 'signed_in' });

/** Signed-in users who operate the platform and have a second factor. */
export const Operator = (): RouteDecorator =>
  applyDecorators(
    ofSession({ kind: 'operator' }),
    ApiProblem(403, 'Requires an operator of the platform with a second factor.', [
      'operator_required',
      'operator_second_factor_required',
    ]),
  );

const ofMembers = (declaration: AccessDeclaration & { role: MemberRole }): RouteDecorator =>
  applyDecorators(
    ofSession(declaration),
    ApiProblem(
      403,
      `Requires the role ${fromRole(declaration.role)} in an organization that is not suspended, and a second factor if the organization requires one.`,
      ['role_required', 'organization_suspended', 'member_second_factor_required'],
    ),
    ApiProblem(
      404,
      `The ${declaration.kind} or the resource in it does not exist, or you are not a member of the organization.`,
      ['not_found'],
    ),
  );

/** Members with at least this role in the organization of the path parameter `org_id`. */
export const OrganizationRole = (role: MemberRole): RouteDecorator => ofMembers({ kind: 'organization', role });

/** Members with at least this role in the organization that owns the workspace of the path parameter `workspace_id`. */
export const WorkspaceRole = (role: MemberRole): RouteDecorator => ofMembers({ kind: 'workspace', role });

/**
 * Senders that authenticate with a signature over the raw body, which the handler verifies: connector webhooks.
 * @public
 */
export const SignedWebhook = (): RouteDecorator => declare({ kind: 'signed_webhook' });
