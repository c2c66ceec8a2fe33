import { Injectable } from '@nestjs/common';
import { WorkspaceScope } from '../access/index.js';
import { Database } from '../platform/database/database.js';
import type { Tenant } from '../platform/database/scope.js';
import { readPublished } from '../platform/database/publication.js';
import { listPage, type Page } from '../platform/http/pagination.js';
import { POLL_AFTER_SECONDS } from '../platform/http/replies/polling.js';
import { Problem } from '../platform/http/problem.js';
import { requireById } from '../platform/http/require-by-id.js';
import type { ListRunsDto } from './dto/list-runs.dto.js';
import type { RunDto } from './dto/run.dto.js';
import { findRun, listRuns, runOrder } from './runs.queries.js';

@Injectable()
export class RunsService {
  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspaceScope,
  ) {}

  /** @throws {Problem} 404 */
  get(scope: Tenant, runId: string): Promise<RunDto> {
    return requireById('run', runId, (id) => findRun(this.database, scope, id));
  }

  /** A run whose results can be read. @throws {Problem} 404, 409 `run_not_completed` */
  async getCompleted(scope: Tenant, runId: string): Promise<RunDto> {
    const run = await this.get(scope, runId);
    if (run.status === 'completed') return run;
    throw new Problem(409, 'run_not_completed', `The run is ${run.status}, not completed, so it has no results.`, {
      members: { run_status: run.status },
      ...(run.finished_at === null ? { headers: { 'retry-after': POLL_AFTER_SECONDS } } : {}),
    });
  }

  /**
   * Newest first: by finish time if `since` or the `status` of a finished run is given, else by creation time.
   * @throws {Problem} 400 naming `cursor`; 403 and 404 for a workspace that the caller cannot access
   */
  list(caller: Tenant, query: ListRunsDto): Promise<Page<RunDto>> {
    const status = query.status === 'complete' ? 'completed' : query.status;
    const filter = { status, finishedAfter: query.since };
    return listPage(query, runOrder(filter), async (slice) => {
      const scope = await this.workspaces.resolve(caller, query.workspace_id);
      return readPublished(this.database, scope.organizationId, (db) => listRuns(db, scope, { ...filter, ...slice }));
    });
  }
}
