import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessCleaner } from './access-cleaner.js';
import { AccountController } from './account/account.controller.js';
import { AccountService } from './account/account.service.js';
import { EmailChangeController } from './account/email-change.controller.js';
import { EmailChangeService } from './account/email-change.service.js';
import { AdminController } from './admin/admin.controller.js';
import { AdminService } from './admin/admin.service.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { ExpiryNotices } from './api-keys/expiry/expiry-notices.js';
import { AuditController, PlatformAuditController } from './audit/audit.controller.js';
import { AuditService } from './audit/audit.service.js';
import { AccessGuard } from './guard/access.guard.js';
import { ApiKeyGate } from './guard/api-key-gate.js';
import { DeclarationCheck } from './guard/declaration-check.js';
import { LastUse } from './guard/last-use.js';
import { RequestCeiling } from './guard/request-ceiling.js';
import { SessionGate } from './guard/session-gate.js';
import { WorkspaceScope } from './guard/workspace-scope.js';
import { Idempotency } from './idempotency/idempotency.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MembersService } from './organizations/members/members.service.js';
import { ApiWorkspacesController } from './organizations/workspaces/api-workspaces.controller.js';
import { OrganizationsController } from './organizations/organizations.controller.js';
import { OrganizationsService } from './organizations/organizations.service.js';
import { WorkspaceRemovals } from './organizations/workspaces/workspace-removals.js';
import { WorkspacesService } from './organizations/workspaces/workspaces.service.js';
import { AccountMails } from './mails/account-mails.js';
import { OrganizationMails } from './mails/organization-mails.js';
import { AccountPagesController } from './pages/account-pages.controller.js';
import { PasswordResetController } from './password-reset/password-reset.controller.js';
import { PasswordResetService } from './password-reset/password-reset.service.js';
import { SecondFactorCheck } from './second-factor/second-factor-check.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactorService } from './second-factor/second-factor.service.js';
import { AfterReply } from './sessions/after-reply.js';
import { AuthController } from './sessions/auth.controller.js';
import { FailedSignIns } from './sessions/failed-sign-ins.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInService } from './sessions/sign-in.service.js';

/** Who callers are and what they may access. Its guard protects every route of the service. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [
    AuthController,
    PasswordResetController,
    EmailChangeController,
    AccountController,
    AccountPagesController,
    SecondFactorController,
    OrganizationsController,
    ApiWorkspacesController,
    InvitationsController,
    ApiKeysController,
    AuditController,
    PlatformAuditController,
    AdminController,
  ],
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    DeclarationCheck,
    LastUse,
    ApiKeyGate,
    SessionGate,
    RequestCeiling,
    WorkspaceScope,
    Idempotency,
    AccessCleaner,
    ExpiryNotices,
    AfterReply,
    AccountMails,
    OrganizationMails,
    PasswordResetService,
    FailedSignIns,
    SignInService,
    SecondFactorCheck,
    SecondFactorService,
    SessionsService,
    AccountService,
    EmailChangeService,
    OrganizationsService,
    MembersService,
    WorkspacesService,
    WorkspaceRemovals,
    InvitationsService,
    InvitationAcceptance,
    ApiKeysService,
    AuditService,
    AdminService,
  ],
  exports: [WorkspaceScope, Idempotency, OrganizationMails, WorkspaceRemovals],
})
export class AccessModule {}
