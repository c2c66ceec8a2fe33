import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import type { WorkspaceTenant } from '../../series/index.js';
import type { PutScheduleDto } from './schedule.dto.js';
import {
  deleteSchedule,
  findSchedule,
  findTimeZone,
  putSchedule,
  type RunSchedule,
  workspaceTimeZone,
} from './schedule.queries.js';

/** The monthly run of a workspace, as its members set it. */
@Injectable()
export class ScheduleService {
  constructor(private readonly database: Database) {}

  /** @throws {Problem} 404 where the workspace has none */
  async get(tenant: WorkspaceTenant): Promise<RunSchedule> {
    const schedule = await findSchedule(this.database, tenant);
    if (!schedule) throw noSchedule();
    return schedule;
  }

  /** @throws {Problem} 400 naming `time_zone` */
  async put(tenant: WorkspaceTenant, author: string, input: PutScheduleDto): Promise<RunSchedule> {
    const asked = input.time_zone ?? (await workspaceTimeZone(this.database, tenant));
    const timeZone = await findTimeZone(this.database, asked);
    if (timeZone === undefined) {
      throw Problem.invalid([{ param: 'time_zone', message: 'must be an IANA time zone such as Europe/Berlin' }]);
    }
    return putSchedule(this.database, tenant, {
      day: input.day,
      hour: input.hour,
      timeZone,
      configOverrides: input.config_overrides ?? {},
      updatedBy: author,
    });
  }

  /** @throws {Problem} 404 where the workspace has none */
  async remove(tenant: WorkspaceTenant): Promise<void> {
    if (!(await deleteSchedule(this.database, tenant))) throw noSchedule();
  }
}

const noSchedule = (): Problem => Problem.notFound('schedule');
