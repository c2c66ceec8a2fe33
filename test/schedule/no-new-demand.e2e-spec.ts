import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailOutbox } from '../../src/platform/mail/mail-outbox.js';
import { Scheduler } from '../../src/runs/schedule/scheduler.js';
import { Api, demandCsv } from '../support/api.js';
import { createMember, createTenant } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { MailServer } from '../support/mail/mail-server.js';
import { startMailedService, untilMailSent } from '../support/mail/mailed-service.js';
import type { TestService } from '../support/test-service.js';

describe('a scheduled run for which there is no new demand', () => {
  speedUpRounds(MailOutbox);
  const mails = new MailServer();
  let service: TestService;
  beforeAll(async () => {
    service = await startMailedService(mails);
  });
  afterAll(() => service.close());

  it('is reported to admins by one email until another run starts, with the run that still holds', async () => {
    const tenant = await createTenant(service);
    const admin = await createMember(service.database, tenant.organizationId, 'admin');
    await createMember(service.database, tenant.organizationId, 'member');
    const api = new Api(service.url, tenant.workspaceKey);
    await api.upload(tenant.workspaceId, demandCsv(2, 24));
    /** @returns the last run, once the schedule has fired */
    const fire = async (): Promise<string> => {
      await service.database.execute(
        `INSERT INTO run_schedules
           (organization_id, workspace_id, day, hour, time_zone, config_overrides, next_run_at, updated_at, updated_by)
         VALUES ($1, $2, 1, 1, 'UTC', '{}', now() - interval '1 day', now(), 'a test')
         ON CONFLICT (workspace_id) DO UPDATE SET next_run_at = excluded.next_run_at`,
        [tenant.organizationId, tenant.workspaceId],
      );
      await service.app.get(Scheduler).fireDue();
      return eventually('it fires', async () => {
        const fired = await service.database.query<{ id: string }>(
          'SELECT last_run_id AS id FROM run_schedules WHERE workspace_id = $1 AND next_run_at > now()',
          [tenant.workspaceId],
        );
        return fired[0]?.id;
      });
    };
    const first = await fire();
    await api.ended(first);
    for (let month = 1; month <= 3; month += 1) expect(await fire()).toBe(first);
    await untilMailSent(service);
    expect(mails.received.map(({ to }) => to)).toEqual([[admin.email]]);
    const { content } = await mails.mailTo(admin.email, 'No new demand for the monthly forecast of');
    expect(content.replaceAll(/\s+/g, ' ')).toMatch(
      /The demand has not changed since the scheduled run of \d+ \w+ \d{4}, whose forecasts still hold\. No run was started or charged\./,
    );

    await api.upload(tenant.workspaceId, demandCsv(2, 25));
    const second = await fire();
    expect(second).not.toBe(first);
    await api.ended(second);
    expect(await fire()).toBe(second);
    await untilMailSent(service);
    expect(mails.received).toHaveLength(2);
  });
});
