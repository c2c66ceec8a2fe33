import { Injectable } from '@nestjs/common';
import { type MemberCaller, recordAuditBy, tenantOf } from '../access/index.js';
import { formatDay, formatMonth, parseMonth } from '../forecasting/index.js';
import { decimalSum } from '../numeric/decimals.js';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import type { Tenant } from '../platform/database/scope.js';
import { requireMonthOrder } from '../platform/http/rules/calendar-month.js';
import { Problem } from '../platform/http/problem.js';
import type { ActualMonthDto, DeletedActualsDto, ReadActualsDto } from './dto/actuals.dto.js';
import { deleteDemand } from './delete-demand.queries.js';
import { type DailyDemand, readDailyDemand } from './read/daily-demand.js';
import { requireSeries } from './read/require-series.js';
import { SeriesService } from './series.service.js';
import { lockWorkspace } from './workspace-locks.queries.js';

/** Reads and deletes the stored demand of one series. */
@Injectable()
export class ActualsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly series: SeriesService,
  ) {}

  /** Months with demand, oldest first. @throws {Problem} 400 if `to` is before `from`, otherwise as {@link SeriesService.find} */
  async read(caller: Tenant, idOrUniqueId: string, range: ReadActualsDto): Promise<ActualMonthDto[]> {
    requireMonthOrder(range);
    const found = await this.series.find(caller, idOrUniqueId, range.workspace_id);
    if (found.first_month === null || found.last_month === null) return [];
    const from = parseMonth(range.from ?? found.first_month);
    const to = parseMonth(range.to ?? found.last_month);
    const tenant = { organizationId: caller.organizationId, workspaceId: found.workspace_id };
    return (await readDailyDemand(this.database, tenant, { from, to }, [found.id])).map(toMonth);
  }

  /** Deletes the demand of whole months. @throws {Problem} 400 if `to` is before `from`, 404 */
  async remove(member: MemberCaller, idOrUniqueId: string, range: DeletedActualsDto): Promise<void> {
    requireMonthOrder(range);
    const tenant = tenantOf(member);
    const [from, to] = [parseMonth(range.from), parseMonth(range.to)];
    await this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, tenant))) throw Problem.notFound('workspace');
      const { id } = await requireSeries(tx, tenant, idOrUniqueId);
      const months = await deleteDemand(tx, tenant, id, { from, to });
      await recordAuditBy(tx, member, {
        action: 'demand.deleted',
        target: { kind: 'series', id },
        details: { workspace_id: tenant.workspaceId, from: formatMonth(from), to: formatMonth(to), months },
        now: this.clock.now(),
      });
    });
  }
}

function toMonth({ month, isFigure, values }: DailyDemand): ActualMonthDto {
  const days = Array.from(values, (y, index) => ({ ds: formatDay(month, index + 1), y }));
  const known = days.filter(({ y }) => Number.isFinite(y));
  return { month: formatMonth(month), y: decimalSum(known.map(({ y }) => y)), days: isFigure ? null : known };
}
