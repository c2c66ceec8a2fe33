import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import type { AccessDeclaration } from '../../platform/http/access-declaration.js';
import { Problem } from '../../platform/http/problem.js';
import { isId } from '../../platform/ids.js';
import { hashSessionToken, SESSION_IDLE_MS } from '../sessions/session-token.js';
import { addressOf, type MemberCaller, type UserCaller } from './caller.js';
import { findSessionCredential, type RouteTarget, type SessionCredential } from './credentials.queries.js';
import { LastUse } from './last-use.js';
import { requireRole } from './require-role.js';

type SessionDeclaration = Extract<AccessDeclaration, { kind: 'signed_in' | 'operator' | 'organization' | 'workspace' }>;

/** Admits signed-in users, operators and members. */
@Injectable()
export class SessionGate {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lastUse: LastUse,
  ) {}

  /**
   * @throws {Problem} 401 `session_required`; 403 `operator_required`, `operator_second_factor_required`; 404 if the organization
   * or workspace is unknown or the user is not a member, without distinction; 403 `organization_suspended`,
   * `member_second_factor_required`, `role_required`
   */
  async admit(
    request: FastifyRequest,
    declaration: SessionDeclaration,
  ): Promise<{ user: UserCaller; member?: MemberCaller }> {
    const session = await this.session(request, targetOf(request, declaration));
    const user: UserCaller = {
      userId: session.userId,
      sessionId: session.sessionId,
      email: session.email,
      name: session.name,
      isOperator: session.isOperator,
      secondFactor: session.secondFactor,
      address: addressOf(request),
    };
    request.loggedCaller = {
      user_id: session.userId,
      ...(session.organizationId !== null && { organization_id: session.organizationId }),
    };
    this.lastUse.ofSession(session.sessionId, session.lastSeenAt);
    if (declaration.kind === 'signed_in') return { user };
    if (declaration.kind === 'operator') {
      requireOperator(user);
      return { user };
    }
    return { user, member: this.member(user, session, declaration) };
  }

  private async session(request: FastifyRequest, target: RouteTarget): Promise<SessionCredential> {
    const token = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const hash = token === undefined ? undefined : hashSessionToken(token);
    const now = this.clock.now();
    const session =
      hash && (await asSystem('session of a request', () => findSessionCredential(this.database, hash, target, now)));
    const live =
      session &&
      session.revokedAt === null &&
      session.expiresAt > now &&
      session.lastSeenAt.getTime() + SESSION_IDLE_MS > now.getTime();
    if (live) return session;
    const keys =
      request.headers['x-api-key'] === undefined ? '' : 'API keys are accepted only under /api/v1 and /odata/v4. ';
    throw Problem.unauthenticated(
      'session_required',
      `${keys}Sign in with POST /auth/login and send the token as Authorization: Bearer.`,
    );
  }

  private member(
    user: UserCaller,
    session: SessionCredential,
    declaration: Extract<SessionDeclaration, { kind: 'organization' | 'workspace' }>,
  ): MemberCaller {
    const { organizationId, workspaceId, plan, role } = session;
    if (organizationId === null || plan === null || role === null) throw Problem.notFound(declaration.kind);
    if (session.suspended) {
      throw new Problem(
        403,
        'organization_suspended',
        'The organization is suspended. GET /auth/me shows since when, and why.',
      );
    }
    if (session.secondFactorRequired && !user.secondFactor) {
      throw new Problem(
        403,
        'member_second_factor_required',
        'The organization requires a second factor. Enroll one with POST /auth/second-factor.',
      );
    }
    requireRole(role, declaration.role);
    return { ...user, organizationId, workspaceId, plan, role };
  }
}

/** An operator has access to every customer: a password alone must not be enough for that. */
function requireOperator(user: UserCaller): void {
  if (!user.isOperator) throw new Problem(403, 'operator_required', 'Only operators of the platform can do this.');
  if (!user.secondFactor) {
    throw new Problem(
      403,
      'operator_second_factor_required',
      'Operators need a second factor. Enroll one with POST /auth/second-factor.',
    );
  }
}

/** What the path names. A malformed id becomes null, and so gets the same response as an unknown one. */
function targetOf(request: FastifyRequest, declaration: SessionDeclaration): RouteTarget {
  const parameters = request.params as Record<string, string | undefined>;
  const id = (name: string): string | null => {
    const value = parameters[name];
    return value !== undefined && isId(value) ? value : null;
  };
  return {
    organizationId: declaration.kind === 'organization' ? id('org_id') : null,
    workspaceId: declaration.kind === 'workspace' ? id('workspace_id') : null,
  };
}
