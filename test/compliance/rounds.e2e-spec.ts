import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CHECK_NAMES } from '../../config/soc2.js';
import { CHECKS } from '../../src/compliance/checks/index.js';
import { ChecksJob } from '../../src/compliance/evidence/checks-job.js';
import { Heartbeat } from '../../src/compliance/evidence/heartbeat.js';
import { INSTALLATION, type Installation } from '../../src/compliance/evidence/installation.js';
import { PERIOD_MS } from '../../src/compliance/evidence/rounds.queries.js';
import { type ChecksToRun, runChecks } from '../../src/compliance/evidence/run-checks.js';
import { Database } from '../../src/platform/database/database.js';
import { asSystem } from '../../src/platform/database/scope.js';
import { AppClient } from '../support/app-client.js';
import { createSession, createUser } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/time/manual-clock.js';
import { stopIntervals } from '../support/time/stopped-intervals.js';
import { startTestService, type TestService } from '../support/test-service.js';

const checks = CHECKS as Record<string, (typeof CHECKS)['uptime']>;
const SCHEDULE: ChecksToRun = { trigger: 'schedule' };

describe('rounds of checks', () => {
  let first: TestService;
  let second: TestService;
  beforeAll(async () => {
    first = await startTestService({ role: 'api' });
    second = await startTestService({
      role: 'api',
      database: { url: first.databaseUrl, drop: () => Promise.resolve() },
    });
    for (const service of [first, second]) await stopIntervals(service);
  });
  beforeEach(async () => {
    await first.database.execute('DELETE FROM compliance_evidence');
    await first.database.execute('DELETE FROM compliance_heartbeats');
    await first.database.execute(`UPDATE compliance_rounds SET due_at = 'epoch', holder = NULL, leased_until = NULL`);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  const evidence = () =>
    first.database.query<{ check_name: string; status: string; detail: string; trigger: string }>(
      'SELECT check_name, status, detail, trigger FROM compliance_evidence ORDER BY id',
    );
  const run = (service: TestService, at = new Date(), order = SCHEDULE) =>
    asSystem('test', () =>
      runChecks(service.app.get(Database), new ManualClock(at), service.app.get<Installation>(INSTALLATION), order),
    );

  it('run once across processes, and again when due', async () => {
    await Promise.all([first, second, first, second].map((service) => service.app.get(ChecksJob).runDue()));
    expect((await evidence()).map(({ check_name }) => check_name)).toEqual(CHECK_NAMES);
    expect(new Set((await evidence()).map(({ trigger }) => trigger))).toEqual(new Set(['schedule']));
    expect(await run(second)).toBeUndefined();
    const later = new Date(Date.now() + PERIOD_MS + 1_000);
    const found = await Promise.all([run(first, later), run(second, later)]);
    expect(found.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await evidence()).toHaveLength(2 * CHECK_NAMES.length);
  });

  it('run in the API only: a worker would judge its own settings', async () => {
    const worker = await startTestService({
      role: 'worker',
      database: { url: first.databaseUrl, drop: () => Promise.resolve() },
    });
    expect(() => worker.app.get(ChecksJob, { strict: false })).toThrow('could not find ChecksJob');
    await worker.close();
  });

  it('record a check that throws as an error, never as a pass, and continue', async () => {
    jest.spyOn(checks, 'uptime').mockRejectedValue(new Error('the disk is on fire'));
    jest.spyOn(checks, 'audit_chain').mockImplementation(() => {
      throw new Error('at once');
    });
    await run(first);
    const found = new Map((await evidence()).map((one) => [one.check_name, one]));
    expect(found.size).toBe(CHECK_NAMES.length);
    expect(found.get('uptime')).toMatchObject({
      status: 'error',
      detail: 'The check could not run: the disk is on fire',
    });
    expect(found.get('audit_chain')).toMatchObject({ status: 'error' });
  });

  it('are announced for now when due, otherwise for their next time', async () => {
    const { id } = await createUser(first.database, { isOperator: true });
    const operator = new AppClient(first.url, await createSession(first.database, id));
    const announced = async () => {
      const { body } = await operator.get<{ next_round_at: string }>('/admin/compliance/soc2');
      return Date.parse(body.next_round_at);
    };
    const before = Date.now();
    expect(await announced()).toBeGreaterThanOrEqual(before);
    expect(await announced()).toBeLessThanOrEqual(Date.now());
    const now = new Date();
    await run(first, now);
    expect(await announced()).toBe(now.getTime() + PERIOD_MS);
  });

  it('refuse a second one while one is running', async () => {
    const { id } = await createUser(first.database, { isOperator: true });
    const operator = new AppClient(first.url, await createSession(first.database, id));
    let going: () => void = () => undefined;
    jest
      .spyOn(checks, 'uptime')
      .mockReturnValue(new Promise((resolve) => (going = () => resolve({ status: 'passed', detail: '' }))));
    const running = run(second, new Date(), { trigger: 'command_line', names: ['uptime'] });
    await eventually('the round is leased', async () => {
      const leased = await first.database.query('SELECT FROM compliance_rounds WHERE holder IS NOT NULL');
      return leased.length > 0 || undefined;
    });
    const refused = await operator.post('/admin/compliance/checks');
    expect([refused.status, refused.body['code']]).toEqual([409, 'checks_running']);
    going();
    expect(await running).toHaveLength(1);
    expect((await operator.post('/admin/compliance/checks', { checks: ['work_not_stuck'] })).status).toBe(200);
  });

  it('are taken over from a process that died midway', async () => {
    const died = new Date(Date.now() - 60_000);
    await first.database.execute(
      `UPDATE compliance_rounds SET holder = gen_random_uuid(), leased_until = $1::timestamptz + interval '10 minutes'`,
      [died],
    );
    expect(await run(first)).toBeUndefined();
    expect(await run(first, new Date(died.getTime() + 600_000))).toHaveLength(CHECK_NAMES.length);
  });

  it('are released at once by a process that stops', async () => {
    let asked = 0;
    await run(first, new Date(), { trigger: 'schedule', stopping: () => (asked += 1) > 3 });
    expect(await evidence()).toHaveLength(3);
    expect(await run(second)).toHaveLength(CHECK_NAMES.length);
  });

  it('of some checks do not postpone the full round', async () => {
    await run(first, new Date(), { trigger: 'command_line', names: ['uptime'] });
    expect(await run(first)).toHaveLength(CHECK_NAMES.length);
  });

  it('remove what is older than 400 days, and nothing younger', async () => {
    const old = (days: number) =>
      first.database.execute(
        `INSERT INTO compliance_evidence VALUES (gen_random_uuid(), 'uptime', 'passed', $1::text, now() - make_interval(days => $2), 1, 'schedule')`,
        [String(days), days],
      );
    await first.database.execute(
      `INSERT INTO compliance_heartbeats VALUES (now() - interval '401 days'), (now() - interval '399 days')`,
    );
    await old(401);
    await old(399);
    await run(first);
    expect((await evidence()).filter(({ detail }) => detail === '401' || detail === '399')).toHaveLength(1);
    expect(await first.database.query('SELECT FROM compliance_heartbeats')).toHaveLength(1);
  });

  it('record heartbeats of ready processes, one a minute for all', async () => {
    const heartbeat = first.app.get(Heartbeat);
    await Promise.all([heartbeat.beat(), heartbeat.beat(), heartbeat.beat()]);
    expect((await first.database.query('SELECT FROM compliance_heartbeats')).length).toBeLessThanOrEqual(2);
    expect((await first.database.query('SELECT FROM compliance_heartbeats')).length).toBeGreaterThan(0);
  });
});
