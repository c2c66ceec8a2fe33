import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { isId } from '../../platform/ids.js';
import { findWorkspace } from '../organizations/workspaces.queries.js';
import type { ApiCaller } from './caller.js';

/** Decides which workspace a call of the public API is about: check 8 of the contract. */
@Injectable()
export class WorkspaceScope {
  constructor(private readonly database: Database) {}

  /**
   * @param workspaceId what the caller asked for
   * @param db the open transaction, for a caller that is within one: if all such callers waited for a second connection,
   * none would ever get it
   * @returns the workspace, or null for all of the organization's (an organization's key that named none)
   * @throws {Problem} 403 `workspace_forbidden` where the key is bound to another workspace, whether or not the named
   * one exists; 404 where the organization has no such workspace
   */
  async resolve(
    caller: ApiCaller,
    workspaceId: string | undefined,
    db: Queryable = this.database,
  ): Promise<string | null> {
    if (caller.workspaceId !== null) {
      if (workspaceId === undefined || workspaceId.toLowerCase() === caller.workspaceId) return caller.workspaceId;
      throw new Problem(403, 'workspace_forbidden', 'The API key is bound to another workspace.');
    }
    if (workspaceId === undefined) return null;
    const found = isId(workspaceId) ? await findWorkspace(db, caller.organizationId, workspaceId) : undefined;
    if (!found) throw Problem.notFound('workspace');
    return found.id;
  }

  /** As {@link resolve}, of a call that is about one workspace. @throws {Problem} 400 too, where one must be named and was not */
  async resolveOne(caller: ApiCaller, workspaceId: string | undefined, db?: Queryable): Promise<string> {
    const resolved = await this.resolve(caller, workspaceId, db);
    if (resolved !== null) return resolved;
    throw Problem.invalid([
      { param: 'workspace_id', message: 'must name a workspace, because the API key is of the whole organization' },
    ]);
  }
}
