import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, only } from '../../platform/database/database.js';
import type { Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { newId } from '../../platform/ids.js';
import type { ListOverridesDto, OverrideKeyDto, PutOverrideDto } from '../dto/override.dto.js';
import { DEFAULT_PAGE } from '../dto/paging.dto.js';
import { pageOf, pageStart } from '../id-page.js';
import { parseMonth } from '../read/month-text.js';
import { SeriesService } from '../series.service.js';
import type { WorkspaceTenant } from '../tenant.js';
import { endOverride, insertOverride, listOverrides, lockSeries, type OverrideEntry } from './overrides.queries.js';

/** Planners' corrections of forecasts, with their full history. Quantiles are never changed, only `final`. */
@Injectable()
export class OverridesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly series: SeriesService,
  ) {}

  async list(tenant: WorkspaceTenant, query: ListOverridesDto): Promise<Page<OverrideEntry>> {
    const limit = query.limit ?? DEFAULT_PAGE;
    const after = pageStart(query.cursor);
    const filter = {
      history: query.history ?? false,
      ...(query.series_id === undefined ? {} : { seriesId: (await this.series.find(tenant, query.series_id)).id }),
      ...(query.month === undefined ? {} : { month: parseMonth(query.month) }),
    };
    return pageOf(await listOverrides(this.database, tenant, filter, this.clock.now(), limit + 1, after), limit);
  }

  /** Puts an override in force; one that stood for the series and month is ended. @throws {Problem} 400, 404 */
  async put(tenant: WorkspaceTenant, author: string, override: PutOverrideDto): Promise<OverrideEntry> {
    const now = this.clock.now();
    const expiresAt = override.expires_at ?? null;
    if (expiresAt !== null && expiresAt <= now) {
      throw Problem.invalid([{ param: 'expires_at', message: 'must be in the future' }]);
    }
    const { id: seriesId } = await this.series.find(tenant, override.series_id);
    const { kind, value, reason } = override;
    const month = parseMonth(override.month);
    return this.database.transaction(async (transaction) => {
      if (!(await lockSeries(transaction, tenant, seriesId))) throw Problem.notFound('series');
      await endOverride(transaction, tenant, seriesId, month, author, now);
      const entry = { id: newId(), seriesId, month, kind, value, reason, author, expiresAt };
      return only(await insertOverride(transaction, tenant, entry, now));
    });
  }

  /** @throws {Problem} 404 where none stands for the series and month */
  async remove(tenant: WorkspaceTenant, author: string, key: OverrideKeyDto): Promise<void> {
    const { id: seriesId } = await this.series.find(tenant, key.series_id);
    const month = parseMonth(key.month);
    const ended = await endOverride(this.database, tenant, seriesId, month, author, this.clock.now());
    if (ended === 0) throw Problem.notFound('override');
  }
}
