import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PlanName } from '../../../config/plans.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';

/** A caller of the public API. */
export interface ApiCaller {
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  readonly organizationId: string;
  /** The only workspace the key is bound to; null for a key of the whole organization. */
  readonly workspaceId: string | null;
  readonly plan: PlanName;
  readonly address: string;
}

/** A caller with a session. */
export interface UserCaller {
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  /** Whether signing in requires a second factor. */
  readonly secondFactor: boolean;
  readonly address: string;
}

/** A user as a member of the organization or workspace in the route's path. */
export interface MemberCaller extends UserCaller {
  readonly organizationId: string;
  /** The workspace in the path; null on routes of the organization. */
  readonly workspaceId: string | null;
  readonly role: MemberRole;
  readonly plan: PlanName;
}

/** A caller within an organization: a key or a member. */
export type TenantCaller = ApiCaller | MemberCaller;

/** The workspace in the path of an application route, whose membership the guard has checked. */
export function tenantOf({ organizationId, workspaceId }: MemberCaller): WorkspaceTenant {
  if (workspaceId === null) throw new Error('the route has no workspace in its path');
  return { organizationId, workspaceId };
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: ApiCaller;
    user?: UserCaller;
    member?: MemberCaller;
  }
}

/** The address of the caller, as determined by the guard. */
export function addressOf({ callerAddress }: FastifyRequest): string {
  if (callerAddress === undefined) throw new Error('the request has not passed the access guard');
  return callerAddress;
}

/** {@link addressOf} the request, for routes that are called without credentials. */
export const CallerAddress = createParamDecorator((_data: undefined, context: ExecutionContext): string =>
  addressOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** A parameter decorator for what the guard has stored on the request. Throws if the route's declaration does not match. */
function fromRequest<Key extends 'caller' | 'user' | 'member'>(key: Key, declaration: string) {
  return createParamDecorator((_data: undefined, context: ExecutionContext) => {
    const value = context.switchToHttp().getRequest<FastifyRequest>()[key];
    if (value === undefined) throw new Error(`the route is not declared ${declaration}`);
    return value;
  });
}

/** The {@link ApiCaller} of a `@PublicApi()` route. */
export const Caller = fromRequest('caller', '@PublicApi()');

/** The {@link UserCaller} of any route that needs a session. */
export const CurrentUser = fromRequest('user', '@SignedIn() or stricter');

/** The {@link MemberCaller} of an `@OrganizationRole()` or `@WorkspaceRole()` route. */
export const CurrentMember = fromRequest('member', '@OrganizationRole() or @WorkspaceRole()');

/** The {@link TenantCaller} of a handler that serves both the public API and members. */
export const CurrentTenant = createParamDecorator((_data: undefined, context: ExecutionContext): TenantCaller => {
  const { caller, member } = context.switchToHttp().getRequest<FastifyRequest>();
  const tenant = caller ?? member;
  if (tenant === undefined) throw new Error('the route is declared for neither keys nor members');
  return tenant;
});
