import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { canonicalId } from '../../platform/ids.js';
import { findWorkspace } from '../organizations/workspaces.queries.js';

/**
 * Decides which workspace a call is about. Call it once the rest of the input is validated, since the public API reports faults of the
 * input before those of the workspace.
 */
@Injectable()
export class WorkspaceScope {
  constructor(private readonly database: Database) {}

  /**
   * @param caller what the caller may reach
   * @param workspaceId the workspace that was asked for
   * @param db the open transaction, if there is one: with a second connection for each, all of them could end up waiting for one
   * @returns the workspace, or all of the organization's (where its key named none)
   * @throws {Problem} 403 `workspace_forbidden` where the key is bound to another workspace, whether or not the named
   * one exists; 404 where the organization has no such workspace
   */
  async resolve(caller: Tenant, workspaceId: string | undefined, db: Queryable = this.database): Promise<Tenant> {
    const { organizationId, workspaceId: bound } = caller;
    if (workspaceId === undefined || canonicalId(workspaceId) === bound) return { organizationId, workspaceId: bound };
    if (bound !== null) throw new Problem(403, 'workspace_forbidden', 'The API key is limited to another workspace.');
    const { id } = await requireById('workspace', workspaceId, (asked) => findWorkspace(db, organizationId, asked));
    return { organizationId, workspaceId: id };
  }

  /** As {@link resolve}, for a call about exactly one workspace. @throws {Problem} also 400 where none is named */
  async resolveOne(caller: Tenant, workspaceId: string | undefined, db?: Queryable): Promise<string> {
    const resolved = await this.resolve(caller, workspaceId, db);
    if (resolved.workspaceId !== null) return resolved.workspaceId;
    throw Problem.invalid([
      {
        param: 'workspace_id',
        message: 'is required, because the API key can access all workspaces of the organization',
      },
    ]);
  }
}
