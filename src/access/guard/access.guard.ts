import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../../config/settings.js';
import { runInScope, type Scope } from '../../platform/database/scope.js';
import { ACCESS_DECLARATION, type AccessDeclaration } from '../../platform/http/access-declaration.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { addressBlock } from '../network/address-block.js';
import { clientAddress } from '../network/client-address.js';
import { ApiKeyGate } from './api-key-gate.js';
import { addressOf } from './caller.js';
import { RequestCeiling } from './request-ceiling.js';
import { SessionGate } from './session-gate.js';

/** While a request is looked into; the gates ask beyond it by `asSystem`. */
const UNADMITTED: Scope = { kind: 'platform', awaited: true };

/** The one guard over all routes: reads the route's declaration and admits its callers, nobody else. */
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
    const { socket, headers } = request;
    request.callerAddress = clientAddress(
      socket.remoteAddress ?? '',
      [headers['x-forwarded-for']].flat().join(','),
      this.settings.TRUSTED_PROXIES,
    );
    const declaration = this.reflector.getAllAndOverride<AccessDeclaration | undefined>(ACCESS_DECLARATION, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (declaration === undefined) throw new Error('a route without an access declaration was reached'); // the start refuses such routes
    if (declaration.kind === 'public' && declaration.probe) return true;
    let callerId: string;
    try {
      callerId = await runInScope(UNADMITTED, () => this.admit(request, declaration));
    } catch (refusal) {
      await this.ceiling.count(originOf(request)); // there is no key or user to count who guesses credentials by
      throw refusal;
    }
    await this.ceiling.count(callerId);
    return true;
  }

  /**
   * Leaves the caller on the request.
   * @returns what the caller's requests are counted by: the id of the key or the user, else the block of the address
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

const originOf = (request: FastifyRequest): string => addressBlock(addressOf(request));
