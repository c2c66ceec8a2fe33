import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demandCsv } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createOrganization, createWorkspace } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface Run {
  id: string;
  status: string;
  trigger: string;
  billed: string;
}

describe('runs of signed-in members', () => {
  let service: TestService;
  let workspaceId: string;
  let member: AppClient;
  let viewer: AppClient;

  beforeAll(async () => {
    service = await startTestService();
    const { id } = await createOrganization(service.database, { plan: 'free' });
    workspaceId = (await createWorkspace(service.database, id)).id;
    member = new AppClient(service.url, (await createMember(service.database, id, 'member')).token);
    viewer = new AppClient(service.url, (await createMember(service.database, id, 'viewer')).token);
    const uploaded = await fetch(`${service.url}${at('/imports')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member.token}`, 'content-type': 'text/csv' },
      body: demandCsv(4, 48),
    });
    expect(uploaded.status).toBe(200);
  });
  afterAll(() => service.close());

  const at = (path: string): string => `/workspaces/${workspaceId}${path}`;
  const ended = (id: string): Promise<Run> =>
    eventually('the run has ended', async () => {
      const { body } = await viewer.get<Run>(at(`/runs/${id}`));
      return ['queued', 'running'].includes(body.status) ? undefined : body;
    });
  const completed = async (): Promise<Run> =>
    ended((await member.post<Run>(at('/runs'), { config_overrides: { horizon: 3 } })).body.id);

  it('work on a plan without the public API, and every result can be read', async () => {
    const started = await member.post<Run>(at('/runs'), { config_overrides: { horizon: 3 } });
    expect([started.status, started.body.trigger, started.body.billed]).toEqual([202, 'app', 'quota']);
    expect(started.headers.get('location')).toBe(at(`/runs/${started.body.id}`));
    const run = await ended(started.body.id);
    expect(run.status).toBe('completed');
    expect((await viewer.get<Run[]>(at('/runs?status=complete'))).body.map(({ id }) => id)).toContain(run.id);

    const rows = await viewer.get<{ unique_id: string }[]>(at(`/runs/${run.id}/forecasts`));
    expect(rows.body.map((row) => row.unique_id)).toEqual(
      ['P0000', 'P0001', 'P0002', 'P0003'].flatMap((id) => [id, id, id]),
    );
    const advice = await viewer.get<{ reorder_point: number }>(at(`/runs/${run.id}/safety-stock/P0000`));
    expect(advice.body.reorder_point).toBeGreaterThan(0);
    const words = await viewer.get<{ summary: string }>(at(`/series/P0000/forecast?run_id=${run.id}`));
    expect(words.body.summary).toContain('January 2024');
    expect((await viewer.get(at(`/runs/${run.id}/series-metrics`))).body).toHaveLength(4);
    expect((await viewer.get(at(`/runs/${run.id}/demand-sensing`))).status).toBe(200);
    expect((await viewer.get(at('/alerts'))).status).toBe(200);

    const again = await completed();
    const compared = await viewer.get(at(`/runs/${again.id}/compare/${run.id}/forecast-explain`));
    expect(compared.status).toBe(200);
  });

  it('log exports of forecasts under the name of the member', async () => {
    const run = await completed();
    const csv = await viewer.get<string>(at(`/runs/${run.id}/forecasts`), { accept: 'text/csv' });
    expect(csv.text).toMatch(/^unique_id,ds,q10/);
    const [event] = await service.database.query<{ actor_kind: string }>(
      `SELECT actor_kind FROM audit_events WHERE action = 'forecasts.exported'`,
    );
    expect(event).toEqual({ actor_kind: 'user' });
  });

  it('can be read by viewers, and started and canceled by members', async () => {
    const run = await completed();
    expect((await viewer.post(at('/runs'))).body).toMatchObject({ status: 403, code: 'role_required' });
    expect((await viewer.post(at(`/runs/${run.id}/cancel`))).body).toMatchObject({ status: 403 });
    expect((await member.post(at(`/runs/${run.id}/cancel`))).body).toMatchObject({
      status: 409,
      code: 'run_already_finished',
    });
  });

  it('report what is wrong with a request, and accept no workspace in the body', async () => {
    for (const [body, param] of [
      [{ config_overrides: { horizon: 0 } }, 'config_overrides.horizon'],
      [{ workspace_id: workspaceId }, 'workspace_id'],
    ] as const) {
      expect((await member.post(at('/runs'), body)).body).toMatchObject({ status: 400, errors: [{ param }] });
    }
  });

  it('show every member the existing workspaces', async () => {
    const { body } = await viewer.get(`/auth/me`);
    expect(body['organizations']).toMatchObject([{ role: 'viewer', workspaces: [{ id: workspaceId }] }]);
  });
});
