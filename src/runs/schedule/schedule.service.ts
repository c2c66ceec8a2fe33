import { Injectable } from '@nestjs/common';
import { type MemberCaller, recordAuditBy, tenantOf } from '../../access/index.js';
import { formatMonth, parseMonth } from '../../forecasting/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { workspaceTimeZone } from '../../series/index.js';
import { resolveCutoff } from '../start/cutoff.js';
import { refuseUnknownSeries } from '../start/usable-series.js';
import type { PutScheduleDto, RunScheduleDto } from './schedule.dto.js';
import { deleteSchedule, findSchedule, findTimeZone, putSchedule } from './schedule.queries.js';

/** The monthly run of a workspace, as configured by its members. */
@Injectable()
export class ScheduleService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws {Problem} 404 if the workspace has none */
  async get(tenant: WorkspaceTenant): Promise<RunScheduleDto> {
    const schedule = await findSchedule(this.database, tenant);
    if (!schedule) throw noSchedule();
    return shown(schedule);
  }

  /**
   * @throws {Problem} 400 naming `time_zone` or `config_overrides.cutoff`, 400 `no_usable_series` if no named series exists, or
   * none in the category
   */
  async put(member: MemberCaller, input: PutScheduleDto): Promise<RunScheduleDto> {
    const tenant = tenantOf(member);
    const asked = input.time_zone ?? (await workspaceTimeZone(this.database, tenant));
    const timeZone = await findTimeZone(this.database, asked);
    if (timeZone === undefined) {
      throw Problem.invalid([{ param: 'time_zone', message: 'must be an IANA time zone such as Europe/Berlin' }]);
    }
    const { day, hour } = input;
    const configOverrides = input.config_overrides ?? {};
    await resolveCutoff(this.database, tenant, configOverrides.cutoff);
    await refuseUnknownSeries(this.database, tenant, configOverrides.series);
    return this.database.transaction(async (tx) => {
      const schedule = await putSchedule(tx, tenant, { day, hour, timeZone, configOverrides, updatedBy: member.email });
      await recordAuditBy(tx, member, {
        action: 'run_schedule.set',
        target: { kind: 'workspace', id: tenant.workspaceId },
        details: { day, hour, time_zone: timeZone, config_overrides: configOverrides },
        now: this.clock.now(),
      });
      return shown(schedule);
    });
  }

  /** @throws {Problem} 404 if the workspace has none */
  remove(member: MemberCaller): Promise<void> {
    const tenant = tenantOf(member);
    return this.database.transaction(async (tx) => {
      if (!(await deleteSchedule(tx, tenant))) throw noSchedule();
      await recordAuditBy(tx, member, {
        action: 'run_schedule.removed',
        target: { kind: 'workspace', id: tenant.workspaceId },
        now: this.clock.now(),
      });
    });
  }
}

/** With the cutoff as runs show it, in whatever form it was sent. */
function shown(schedule: RunScheduleDto): RunScheduleDto {
  const { cutoff, ...others } = schedule.config_overrides;
  if (!cutoff) return schedule;
  return { ...schedule, config_overrides: { ...others, cutoff: formatMonth(parseMonth(cutoff)) } };
}

const noSchedule = (): Problem => Problem.notFound('schedule');
