import { EmailChangeEntity } from './account/account.entities.js';
import { ApiKeyEntity } from './api-keys/api-keys.entities.js';
import { AuditEventEntity, AuditHeadEntity } from './audit/audit.entities.js';
import { PlatformFlagEntity } from './flags/flags.entities.js';
import { IdempotencyKeyEntity } from './idempotency/idempotency.entities.js';
import { InvitationEntity } from './invitations/invitations.entities.js';
import {
  MembershipEntity,
  OrganizationEntity,
  PublicationEntity,
  WorkspaceEntity,
} from './organizations/organizations.entities.js';
import { PasswordResetEntity } from './password-reset/password-reset.entities.js';
import { RecoveryCodeEntity } from './second-factor/second-factor.entities.js';
import { SignInAttemptEntity } from './attempts/attempts.entities.js';
import { SessionEntity } from './sessions/sessions.entities.js';
import { UserEntity } from './users/users.entities.js';

/** The tables of this module; each is declared in the folder that writes it. */
export const ACCESS_ENTITIES = [
  OrganizationEntity,
  WorkspaceEntity,
  UserEntity,
  MembershipEntity,
  ApiKeyEntity,
  PlatformFlagEntity,
  SessionEntity,
  RecoveryCodeEntity,
  IdempotencyKeyEntity,
  InvitationEntity,
  PasswordResetEntity,
  EmailChangeEntity,
  PublicationEntity,
  SignInAttemptEntity,
  AuditEventEntity,
  AuditHeadEntity,
];
