import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { withBackgroundTimeout } from '../../../platform/database/scope.js';
import { requireById } from '../../../platform/http/require-by-id.js';
import { LOGGER, type Logger } from '../../../platform/logging/logger.js';
import { changeBetween } from '../../audit/change.js';
import { recordAuditBy } from '../../audit/record-by.js';
import { unlockApiKeys } from '../../api-keys/plan-locks/unlock-api-keys.js';
import { actorOf } from '../../audit/audit-event.js';
import { ApiKeyGate } from '../../guard/api-key-gate.js';
import type { MemberCaller } from '../../guard/caller.js';
import { createWorkspace } from './create-workspace.js';
import { requireOrganization } from '../require-organization.js';
import { WorkspaceRemovals } from './workspace-removals.js';
import {
  deleteWorkspace,
  listWorkspaces,
  lockForRemoval,
  updateWorkspace,
  type WorkspaceChange,
} from './workspaces.queries.js';
import type { WorkspaceBody } from '../organizations.dto.js';

@Injectable()
export class WorkspacesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly gate: ApiKeyGate,
    private readonly removals: WorkspaceRemovals,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  list(caller: { readonly organizationId: string }): Promise<WorkspaceBody[]> {
    return listWorkspaces(this.database, caller.organizationId);
  }

  /** @throws {Problem} 409 `plan_limit_reached` */
  create(caller: MemberCaller, wanted: { readonly name: string; readonly timeZone: string }): Promise<WorkspaceBody> {
    const by = { actor: actorOf(caller), now: this.clock.now() };
    return this.database.transaction(async (tx) =>
      createWorkspace(tx, await requireOrganization(tx, caller.organizationId), wanted, by),
    );
  }

  /** @throws {Problem} 404 */
  change(caller: MemberCaller, workspaceId: string, change: WorkspaceChange): Promise<WorkspaceBody> {
    return this.database.transaction(async (tx) => {
      const { before, ...changed } = await requireById('workspace', workspaceId, (id) =>
        updateWorkspace(tx, caller.organizationId, id, change),
      );
      const details = changeBetween(before, { name: changed.name, time_zone: changed.time_zone });
      if (details !== undefined) {
        await recordAuditBy(tx, caller, {
          action: 'workspace.changed',
          target: { kind: 'workspace', id: changed.id },
          details,
          now: this.clock.now(),
        });
      }
      return changed;
    });
  }

  /** Deletes the workspace with its series, runs and keys; locked keys of others take their place. @throws {Problem} 404 */
  async remove(caller: MemberCaller, workspaceId: string): Promise<void> {
    const remove = async (tx: Transaction): Promise<void> => {
      const { organizationId } = caller;
      const { workspace: known, keyIds } = await requireById('workspace', workspaceId, (id) =>
        lockForRemoval(tx, organizationId, id),
      );
      const workspace = { organizationId, workspaceId: known.id };
      await tx.narrowTo(workspace); // whatever a step touches belongs to this workspace
      const end = await this.removals.begin(tx, workspace);
      await deleteWorkspace(tx, organizationId, known.id);
      await end();
      await recordAuditBy(tx, caller, {
        action: 'workspace.deleted',
        target: { kind: 'workspace', id: known.id },
        details: { name: known.name, deleted_key_ids: keyIds },
        now: this.clock.now(),
      });
    };
    await withBackgroundTimeout(() => this.database.transaction(remove));
    // separately, since it locks the organization, which nobody should wait for during a long deletion
    const unlocking = { actor: actorOf(caller), now: this.clock.now() };
    await unlockApiKeys(this.database, caller.organizationId, unlocking).catch((error: unknown) =>
      this.logger.warn(
        { err: error },
        'API keys could not be unlocked after a workspace was deleted; the next cleanup will try again',
      ),
    );
    this.gate.forget();
  }
}
