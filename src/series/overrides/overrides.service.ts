import { Injectable } from '@nestjs/common';
import { type MemberCaller, recordAuditBy, tenantOf } from '../../access/index.js';
import { formatMonth, type MonthNumber, monthNumber, parseMonth } from '../../forecasting/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { newId } from '../../platform/ids.js';
import type { ListOverridesDto, OverrideEntryDto, OverrideKeyDto, PutOverrideDto } from '../dto/override.dto.js';
import type { SeriesDto } from '../dto/series.dto.js';
import { holdWorkspace } from '../workspace-locks.queries.js';
import { SeriesService } from '../series.service.js';
import { endOverride, insertOverride, listOverrides, lockSeries } from './overrides.queries.js';

/** How many months ahead planners may plan: the next runs forecast the first 36 of these, later runs the others. */
const MONTHS_AHEAD = 120;

/** Planners' overrides of forecasts, with their full history. Quantiles never change, only `final`. */
@Injectable()
export class OverridesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly series: SeriesService,
  ) {}

  async list(tenant: WorkspaceTenant, query: ListOverridesDto): Promise<Page<OverrideEntryDto>> {
    return idPage('overrides', query, async (slice) => {
      const filter = {
        history: query.history ?? false,
        seriesId: query.series_id === undefined ? undefined : (await this.series.find(tenant, query.series_id)).id,
        month: query.month === undefined ? undefined : parseMonth(query.month),
        ...slice,
      };
      return listOverrides(this.database, tenant, filter, this.clock.now());
    });
  }

  /** Sets an override and ends the previous one of the series and month. @throws {Problem} 400, 404 */
  async put(member: MemberCaller, override: PutOverrideDto): Promise<OverrideEntryDto> {
    refuseNegativeFinal(override);
    const tenant = tenantOf(member);
    const author = member.email;
    const expiresAt = override.expires_at ?? null;
    if (expiresAt !== null && expiresAt <= this.clock.now()) {
      throw Problem.invalid([{ param: 'expires_at', message: 'must be in the future' }]);
    }
    const series = await this.series.find(tenant, override.series_id);
    const seriesId = series.id;
    const { kind, value, reason } = override;
    const month = parseMonth(override.month);
    refuseOutOfReach(month, series, this.clock.now());
    return this.withLockedSeries(tenant, seriesId, async (tx, now) => {
      await endOverride(tx, tenant, { seriesId, month }, { at: now, by: author });
      const entry = { id: newId(), seriesId, month, kind, value, reason, author, expiresAt };
      const stored = await insertOverride(tx, tenant, entry, now);
      await recordAuditBy(tx, member, {
        action: 'override.set',
        target: { kind: 'series', id: seriesId },
        details: { workspace_id: tenant.workspaceId, month: stored.month, kind, value, reason, expires_at: expiresAt },
        now,
      });
      return stored;
    });
  }

  /** @throws {Problem} 404 if the series and month have none */
  async remove(member: MemberCaller, key: OverrideKeyDto): Promise<void> {
    const tenant = tenantOf(member);
    const { id: seriesId } = await this.series.find(tenant, key.series_id);
    const month = parseMonth(key.month);
    await this.withLockedSeries(tenant, seriesId, async (tx, now) => {
      const ended = await endOverride(tx, tenant, { seriesId, month }, { at: now, by: member.email });
      if (!ended) throw Problem.notFound('override');
      await recordAuditBy(tx, member, {
        action: 'override.removed',
        target: { kind: 'series', id: seriesId },
        details: { workspace_id: tenant.workspaceId, month: formatMonth(month) },
        now,
      });
    });
  }

  /** Serializes changes to a series' overrides and dates each while holding the lock, so that the history is in order. */
  private withLockedSeries<Result>(
    tenant: WorkspaceTenant,
    seriesId: string,
    change: (tx: Transaction, now: Date) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async (tx) => {
      await holdWorkspace(tx, tenant);
      if (!(await lockSeries(tx, tenant, seriesId))) throw Problem.notFound('series');
      return change(tx, this.clock.now());
    });
  }
}

/** Rejects values that make every `final` negative. A negative delta is allowed: the result depends on the forecast. */
function refuseNegativeFinal({ kind, value }: PutOverrideDto): void {
  if (kind === 'absolute' && value < 0) throw Problem.invalid([{ param: 'value', message: 'must not be negative' }]);
  if (kind === 'percent' && value < -100) {
    throw Problem.invalid([
      { param: 'value', message: 'must be -100 or more: demand cannot fall by more than 100 percent' },
    ]);
  }
}

/** Rejects a month that no run forecasts: one before the series begins, or so far ahead that it must be a typo. */
function refuseOutOfReach(month: MonthNumber, { first_month: begins }: SeriesDto, now: Date): void {
  const furthest = monthNumber(now.getUTCFullYear(), now.getUTCMonth() + 1) + MONTHS_AHEAD;
  if (month > furthest) {
    const message = `must be ${formatMonth(furthest)} or earlier`;
    throw Problem.invalid([{ param: 'month', message }]);
  }
  if (begins !== null && month < parseMonth(begins)) {
    const message = `must be ${begins} (the first month of demand of the series) or later`;
    throw Problem.invalid([{ param: 'month', message }]);
  }
}
