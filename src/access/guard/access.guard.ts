import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../../config/settings.js';
import { admitInto, runInScope, type Scope } from '../../platform/database/scope.js';
import { ACCESS_DECLARATION, type AccessDeclaration } from '../../platform/http/access-declaration.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { addressBlock } from '../network/address-block.js';
import { addressOfRequest } from '../network/client-address.js';
import { ApiKeyGate } from './api-key-gate.js';
import { addressOf } from './caller.js';
import { RequestCeiling } from './request-ceiling.js';
import { SessionGate } from './session-gate.js';

/** Scope while the caller is being checked. The gates look up credentials outside it, with `asSystem`. */
const UNADMITTED: Scope = { kind: 'platform', awaited: true };

/** The guard of all routes: admits only the callers that the route's declaration allows, each into its own database scope. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeyGate,
    private readonly sessions: SessionGate,
    private readonly ceiling: RequestCeiling,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.callerAddress = addressOfRequest(request, this.settings.TRUSTED_PROXIES);
    const declaration = this.reflector.getAllAndOverride<AccessDeclaration | undefined>(ACCESS_DECLARATION, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (declaration === undefined) throw new Error('a route without an access declaration was reached'); // DeclarationCheck refuses to start with such a route
    if (!(declaration.kind === 'public' && declaration.probe)) await this.check(request, declaration);
    admitInto({ ...scopeOf(declaration, request), awaited: true });
    return true;
  }

  /** @throws {Problem} if the caller is not admitted or has sent too many requests */
  private async check(request: FastifyRequest, declaration: AccessDeclaration): Promise<void> {
    let callerId: string;
    try {
      callerId = await runInScope(UNADMITTED, () => this.admit(request, declaration));
    } catch (refusal) {
      await this.ceiling.count(originOf(request)); // without valid credentials there is no key or user to count by
      throw refusal;
    }
    await this.ceiling.count(callerId);
  }

  /**
   * Checks the caller and stores it on the request.
   * @returns what to count the caller's requests by: the id of the key or user, else the address block
   */
  private async admit(request: FastifyRequest, declaration: AccessDeclaration): Promise<string> {
    switch (declaration.kind) {
      case 'public':
      case 'signed_webhook':
        return originOf(request);
      case 'public_api':
        request.caller = await this.apiKeys.admit(request, declaration.feed);
        return request.caller.apiKeyId;
      case 'signed_in':
      case 'operator':
      case 'organization':
      case 'workspace': {
        const admitted = await this.sessions.admit(request, declaration);
        Object.assign(request, admitted);
        return admitted.user.userId;
      }
    }
  }
}

/** The scope of the route's queries, which confines them to the caller's tenant. */
function scopeOf(declaration: AccessDeclaration, { caller, member, routeOptions }: FastifyRequest): Scope {
  const tenant = caller ?? member;
  if (tenant) return { kind: 'tenant', organizationId: tenant.organizationId, workspaceId: tenant.workspaceId };
  if (declaration.kind === 'operator') return { kind: 'system', reason: `operator at ${routeOptions.url}` };
  return { kind: 'platform' };
}

const originOf = (request: FastifyRequest): string => addressBlock(addressOf(request));
