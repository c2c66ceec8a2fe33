import { Injectable } from '@nestjs/common';
import { WorkspaceScope } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { readPublished } from '../platform/database/publication.js';
import type { Tenant } from '../platform/database/scope.js';
import { listPage, type Page } from '../platform/http/pagination.js';
import { requireById } from '../platform/http/require-by-id.js';
import type { AlertDto, ListAlertsDto } from './alerts.dto.js';
import { ALERT_ORDER, listAlerts, markAlert } from './alerts.queries.js';

/** Reads and marks alerts. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly workspaces: WorkspaceScope,
  ) {}

  /** @throws {Problem} 400 naming `cursor`; 403 and 404 for a workspace that the caller has no access to */
  list(caller: Tenant, query: ListAlertsDto): Promise<Page<AlertDto>> {
    const filter = { unreadOnly: query.unread ?? true, createdAfter: query.since };
    return listPage(query, ALERT_ORDER, async (slice) => {
      const scope = await this.workspaces.resolve(caller, query.workspace_id);
      return readPublished(this.database, scope.organizationId, (db) => listAlerts(db, scope, { ...filter, ...slice }));
    });
  }

  /** @throws {Problem} 404 */
  mark(scope: Tenant, alertId: string, read: boolean): Promise<AlertDto> {
    return requireById('alert', alertId, (id) => markAlert(this.database, scope, id, { read, now: this.clock.now() }));
  }
}
