import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import type { Tenant } from '../platform/database/scope.js';
import { readPublished } from '../platform/database/publication.js';
import { decodeCursor, type Page, toPage } from '../platform/http/pagination.js';
import { Problem } from '../platform/http/problem.js';
import { isId } from '../platform/ids.js';
import { type RunFilterDto, RUNS_PAGE } from './dto/list-runs.dto.js';
import type { Run } from './run.js';
import { findRun, listRuns } from './runs.queries.js';

/** Reads and lists runs. */
@Injectable()
export class RunsService {
  constructor(private readonly database: Database) {}

  /** @throws {Problem} 404 */
  async get(scope: Tenant, runId: string): Promise<Run> {
    const run = isId(runId) ? await findRun(this.database, scope, runId) : undefined;
    if (!run) throw Problem.notFound('run');
    return run;
  }

  /** Newest first: by finish with `since`, else by creation. @throws {Problem} 400 naming `cursor` */
  async list(scope: Tenant, query: RunFilterDto): Promise<Page<Run>> {
    const limit = query.limit ?? RUNS_PAGE.default;
    const filter = {
      limit,
      ...(query.status === undefined ? {} : { status: query.status === 'complete' ? 'completed' : query.status }),
      ...(query.since === undefined ? {} : { finishedAfter: query.since }),
      ...(query.cursor === undefined ? {} : { after: decodeCursor(query.cursor, ['instant', 'id']) }),
    };
    const runs = await readPublished(this.database, scope.organizationId, (db) => listRuns(db, scope, filter));
    return toPage(runs, limit, ({ id, created_at: created, finished_at: finished }) => [
      query.since === undefined ? created : (finished ?? created),
      id,
    ]);
  }
}
