import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Database } from '../../platform/database/database.js';
import type { Tenant, WorkspaceTenant } from '../../platform/database/scope.js';
import { type PageQueryDto, STANDARD_PAGE } from '../../platform/http/page-query.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { POLL_AFTER_SECONDS } from '../../platform/http/polling.js';
import { Problem } from '../../platform/http/problem.js';
import { isId } from '../../platform/ids.js';
import { findImport, type Import, listImports } from './imports.queries.js';

/** Reads imports. */
@Injectable()
export class ImportsService {
  constructor(private readonly database: Database) {}

  /** Also tells the client when to look again while the import is unfinished. @throws {Problem} 404 */
  async read(scope: Tenant, importId: string, reply: FastifyReply): Promise<Import> {
    const found = isId(importId) ? await findImport(this.database, scope, importId) : undefined;
    if (!found) throw Problem.notFound('import');
    if (found.finished_at === null) void reply.header('retry-after', POLL_AFTER_SECONDS);
    return found;
  }

  list(tenant: WorkspaceTenant, paging: PageQueryDto): Promise<Page<Import>> {
    return idPage(paging, STANDARD_PAGE, (slice) => listImports(this.database, tenant, slice));
  }
}
