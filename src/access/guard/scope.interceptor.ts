import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { runInScope, type Scope } from '../../platform/database/scope.js';
import { ACCESS_DECLARATION, type AccessDeclaration } from '../../platform/http/access-declaration.js';

/**
 * Runs every handler in the scope of the caller whom the guard has admitted, so that the database keeps a request to its
 * tenant whatever its queries say.
 */
@Injectable()
export class ScopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    const declaration = this.reflector.getAllAndOverride<AccessDeclaration>(ACCESS_DECLARATION, [
      context.getHandler(),
      context.getClass(),
    ]);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    // Nest runs the handler in the context in which it was asked to
    return runInScope({ ...scopeOf(declaration, request), awaited: true }, () => next.handle());
  }
}

function scopeOf(declaration: AccessDeclaration, { caller, member, routeOptions }: FastifyRequest): Scope {
  const tenant = caller ?? member;
  if (tenant) return { kind: 'tenant', organizationId: tenant.organizationId, workspaceId: tenant.workspaceId };
  if (declaration.kind === 'operator') return { kind: 'system', reason: `operator at ${routeOptions.url}` };
  return { kind: 'platform' };
}
