import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ACCESS_DECLARATION, type AccessDeclaration } from '../../platform/http/access-declaration.js';
import { ApiKeyGate } from './api-key-gate.js';
import { SessionGate } from './session-gate.js';

/** The one guard over all routes: reads the route's declaration and admits its callers, nobody else. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeyGate,
    private readonly sessions: SessionGate,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const declaration = this.reflector.getAllAndOverride<AccessDeclaration | undefined>(ACCESS_DECLARATION, [
      context.getHandler(),
      context.getClass(),
    ]);
    switch (declaration?.kind) {
      case 'public':
      case 'signed_webhook':
        return true;
      case 'public_api':
        request.caller = await this.apiKeys.admit(request, declaration.basic);
        return true;
      case 'signed_in':
      case 'operator':
      case 'organization':
      case 'workspace':
        Object.assign(request, await this.sessions.admit(request, declaration));
        return true;
      case undefined:
        throw new Error('a route without an access declaration was reached'); // the start refuses such routes
    }
  }
}
