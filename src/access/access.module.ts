import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './guard/access.guard.js';
import { ApiKeyGate } from './guard/api-key-gate.js';
import { DeclarationCheck } from './guard/declaration-check.js';
import { LastUse } from './guard/last-use.js';
import { SessionGate } from './guard/session-gate.js';
import { WorkspaceScope } from './guard/workspace-scope.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyCleaner } from './idempotency/idempotency-cleaner.js';

/** Who the callers are and what they may reach. Its guard stands before every route of the service. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    DeclarationCheck,
    LastUse,
    ApiKeyGate,
    SessionGate,
    WorkspaceScope,
    Idempotency,
    IdempotencyCleaner,
  ],
  exports: [WorkspaceScope, Idempotency],
})
export class AccessModule {}
