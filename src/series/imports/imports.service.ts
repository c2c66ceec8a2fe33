import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Tenant, WorkspaceTenant } from '../../platform/database/scope.js';
import type { PageQueryDto } from '../../platform/http/page-query.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { requireById } from '../../platform/http/require-by-id.js';
import type { ImportDto } from '../dto/import.dto.js';
import { findImport, listImports } from './imports.queries.js';

/** Reads imports. */
@Injectable()
export class ImportsService {
  constructor(private readonly database: Database) {}

  /** @throws {Problem} 404 */
  read(scope: Tenant, importId: string): Promise<ImportDto> {
    return requireById('import', importId, (id) => findImport(this.database, scope, id));
  }

  list(tenant: WorkspaceTenant, paging: PageQueryDto): Promise<Page<ImportDto>> {
    return idPage('imports', paging, (slice) => listImports(this.database, tenant, slice));
  }
}
