import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { readPublished } from '../platform/database/publication.js';
import { STANDARD_PAGE } from '../platform/http/page-query.js';
import { listPage, type Page } from '../platform/http/pagination.js';
import { Problem } from '../platform/http/problem.js';
import { isId } from '../platform/ids.js';
import type { AlertFilterDto } from './alerts.dto.js';
import { type Alert, ALERT_ORDER, type AlertScope, listAlerts, markAlert } from './alerts.queries.js';

/** Reads alerts and marks them. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  list(scope: AlertScope, query: AlertFilterDto): Promise<Page<Alert>> {
    const filter = { unreadOnly: query.unread ?? true, createdAfter: query.since };
    return listPage(query, STANDARD_PAGE, ALERT_ORDER, (slice) =>
      readPublished(this.database, scope.organizationId, (db) => listAlerts(db, scope, { ...filter, ...slice })),
    );
  }

  /** @throws {Problem} 404 */
  async mark(scope: AlertScope, alertId: string, read: boolean): Promise<Alert> {
    const alert = isId(alertId) ? await markAlert(this.database, scope, alertId, read, this.clock.now()) : undefined;
    if (!alert) throw Problem.notFound('alert');
    return alert;
  }
}
