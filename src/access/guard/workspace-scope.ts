import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../platform/database/database.js';
import type { Tenant, WorkspaceTenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { canonicalId } from '../../platform/ids.js';
import { findWorkspace } from '../organizations/workspaces/workspaces.queries.js';

/** Where whoever has named none, or not the right one, finds their ids. */
const WHERE = 'GET /api/v1/workspaces lists the workspaces that the key can access.';

/**
 * Determines which workspace a call is about. Call it after the rest of the input is validated, since the public API reports
 * invalid input before errors about the workspace.
 */
@Injectable()
export class WorkspaceScope {
  constructor(private readonly database: Database) {}

  /**
   * @param caller what the caller has access to
   * @param workspaceId the requested workspace
   * @param db the open transaction, if any: if each needed a second connection, all of them could end up waiting for one
   * @returns the workspace, or the whole organization (if its key named none)
   * @throws {Problem} 403 `workspace_forbidden` if the key is bound to another workspace, whether or not the named one exists; 404
   * if the organization has no such workspace
   */
  async resolve(caller: Tenant, workspaceId: string | undefined, db: Queryable = this.database): Promise<Tenant> {
    const { organizationId, workspaceId: bound } = caller;
    if (workspaceId === undefined || canonicalId(workspaceId) === bound) return { organizationId, workspaceId: bound };
    if (bound !== null) {
      throw new Problem(403, 'workspace_forbidden', `The API key is limited to another workspace. ${WHERE}`);
    }
    const { id } = await requireById(
      'workspace',
      workspaceId,
      (asked) => findWorkspace(db, organizationId, asked),
      WHERE,
    );
    return { organizationId, workspaceId: id };
  }

  /** Like {@link resolve}, for a call about exactly one workspace. @throws {Problem} also 400 if none is named */
  async resolveOne(caller: Tenant, workspaceId: string | undefined, db?: Queryable): Promise<WorkspaceTenant> {
    const resolved = await this.resolve(caller, workspaceId, db);
    if (resolved.workspaceId !== null) return { ...resolved, workspaceId: resolved.workspaceId };
    throw Problem.invalid([
      {
        param: 'workspace_id',
        message:
          'is required with an organization key, which can access all workspaces; GET /api/v1/workspaces lists them',
      },
    ]);
  }
}
