import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CHECK_NAMES, SOC2 } from '../../config/soc2.js';
import { PHASES } from '../../src/compliance/programme/phase.js';
import { nextPage, pagesOf } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createOrganization, createSession, createUser } from '../support/builders.js';
import { stopIntervals } from '../support/time/stopped-intervals.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { daysAgo } from './checked-installation.js';

interface Dashboard extends Record<string, unknown> {
  current_phase: string;
  phases: Record<string, unknown>[];
  evidence: Record<string, number>;
  checks: Record<string, unknown>[];
}

const ROUTE = '/admin/compliance/soc2';
const DONE = [
  { phase: 'gap_assessment', started_on: '2026-01-05', completed_on: '2026-02-01' },
  { phase: 'documentation', started_on: '2026-02-02', completed_on: '2026-05-01' },
  { phase: 'type_1', started_on: '2026-05-02', completed_on: '2026-07-01' },
];

describe('the SOC 2 programme', () => {
  let service: TestService;
  let operator: AppClient;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
    await stopIntervals(service);
    operator = new AppClient(service.url, await session({ isOperator: true }));
  });
  beforeEach(async () => {
    await service.database.execute(
      'UPDATE compliance_phases SET planned_on = NULL, started_on = NULL, completed_on = NULL, report_available = false',
    );
    await service.database.execute('DELETE FROM compliance_evidence');
    await service.database.execute('DELETE FROM compliance_attestations');
    await service.database.execute('UPDATE compliance_rounds SET finished_at = NULL');
  });
  afterAll(() => service.close());

  const session = async (user: Parameters<typeof createUser>[1]) =>
    createSession(service.database, (await createUser(service.database, user)).id);
  const change = (body: unknown) => operator.patch<Dashboard & { code: string; detail: string }>(ROUTE, body);
  const read = async () => (await operator.get<Dashboard>(ROUTE)).body;

  it('is for operators with a second factor', async () => {
    const { id } = await createOrganization(service.database);
    const { token } = await createMember(service.database, id, 'owner');
    const without = await session({ isOperator: true, secondFactor: false });
    const calls: [string, (client: AppClient) => Promise<{ status: number; body: Record<string, unknown> }>][] = [
      ['GET soc2', (client) => client.get(ROUTE)],
      ['PATCH soc2', (client) => client.patch(ROUTE, { type_1_report_available: true })],
      ['GET controls', (client) => client.get('/admin/compliance/controls')],
      ['GET evidence', (client) => client.get('/admin/compliance/evidence')],
      ['POST checks', (client) => client.post('/admin/compliance/checks')],
      ['GET attestations', (client) => client.get('/admin/compliance/attestations')],
      ['POST attestations', (client) => client.post('/admin/compliance/attestations', {})],
    ];
    for (const [name, call] of calls) {
      expect([name, (await call(new AppClient(service.url))).status]).toEqual([name, 401]);
      expect([name, (await call(new AppClient(service.url, token))).body['code']]).toEqual([name, 'operator_required']);
      expect([name, (await call(new AppClient(service.url, without))).body['code']]).toEqual([
        name,
        'operator_second_factor_required',
      ]);
    }
  });

  it('begins with five phases in order, none planned and no report', async () => {
    const body = await read();
    expect(body.phases.map(({ phase }) => phase)).toEqual(PHASES);
    expect(body.phases.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'not_planned'));
    expect(body).toMatchObject({
      current_phase: 'gap_assessment',
      type_1_report_available: false,
      type_2_report_available: false,
      evidence: { coverage_percent: 0, controls: SOC2.controls.length, passing: 0, last_round_at: null },
    });
    expect(body.checks.map(({ check }) => check)).toEqual(CHECK_NAMES);
    expect(new Set(body.checks.map(({ state }) => state))).toEqual(new Set(['missing']));
  });

  it('moves through its phases, keeps omitted fields, and clears a date with null', async () => {
    expect((await change({ phases: [{ phase: 'gap_assessment', planned_on: '2026-01-01' }] })).status).toBe(200);
    const begun = await change({ phases: [{ phase: 'gap_assessment', started_on: '2026-01-05' }] });
    expect(begun.body.phases[0]).toEqual({
      phase: 'gap_assessment',
      status: 'in_progress',
      planned_on: '2026-01-01',
      started_on: '2026-01-05',
      completed_on: null,
    });
    const all = await change({ phases: DONE, type_1_report_available: true });
    expect(all.body).toMatchObject({ current_phase: 'monitoring', type_1_report_available: true });
    expect((await read()).phases.map(({ status }) => status)).toEqual([
      'completed',
      'completed',
      'completed',
      'not_planned',
      'not_planned',
    ]);
    const back = await change({ phases: [{ phase: 'gap_assessment', planned_on: null }] });
    expect(back.body.phases[0]).toMatchObject({ planned_on: null, started_on: '2026-01-05' });
  });

  it('skips no phase, and does not undo one that a later phase depends on', async () => {
    const skipped = await change({ phases: [{ phase: 'documentation', started_on: '2026-01-05' }] });
    expect([skipped.status, skipped.body.code]).toEqual([409, 'phase_order']);
    await change({ phases: DONE });
    const undone = await change({ phases: [{ phase: 'documentation', completed_on: null }] });
    expect([undone.status, undone.body.code]).toEqual([409, 'phase_order']);
    expect((await read()).current_phase).toBe('monitoring');
  });

  it('has reports only for completed phases', async () => {
    const early = await change({ type_1_report_available: true });
    expect([early.status, early.body.code]).toEqual([409, 'phase_incomplete']);
    await change({ phases: DONE, type_1_report_available: true });
    const undone = await change({ phases: [{ phase: 'type_1', completed_on: null }] });
    expect([undone.status, undone.body.code]).toEqual([409, 'phase_incomplete']);
    const both = await change({ phases: [{ phase: 'type_1', completed_on: null }], type_1_report_available: false });
    expect([both.status, both.body['type_1_report_available']]).toEqual([200, false]);
    expect((await change({ type_2_report_available: true })).status).toBe(409);
  });

  it.each([
    ['phases', { phases: [{ phase: 'gap_assessment', started_on: '2026-02-01', completed_on: '2026-01-01' }] }],
    ['phases', { phases: [{ phase: 'gap_assessment', started_on: '2999-01-01' }] }],
    ['phases', { phases: [] }],
    ['phases', { phases: [{ phase: 'type_1' }, { phase: 'type_1' }] }],
    ['phases', { phases: 'type_1' }],
    ['phases.0', { phases: [null] }],
    ['phases.0.phase', { phases: [{ phase: 'type_3' }] }],
    ['phases.0.started_on', { phases: [{ phase: 'type_1', started_on: '2026-02-30' }] }],
    ['phases.0.status', { phases: [{ phase: 'type_1', status: 'completed' }] }],
    ['type_1_report_available', { type_1_report_available: 'yes' }],
    ['current_phase', { current_phase: 'type_1' }],
    ['body', {}],
  ])('refuses invalid fields in %s, by name', async (param, body) => {
    const { status, body: problem } = await change(body);
    expect([status, (problem as unknown as { errors: { param: string }[] }).errors[0]?.param]).toEqual([400, param]);
  });

  it('leaves no event if a request changes nothing', async () => {
    const events = () =>
      service.database.query(`SELECT FROM audit_events WHERE action = 'compliance.programme_changed'`);
    const started = { phases: [{ phase: 'gap_assessment', started_on: '2026-01-05' }], type_1_report_available: false };
    await change(started);
    const { length } = await events();

    expect((await change(started)).status).toBe(200);

    expect(await events()).toHaveLength(length);
  });

  it('applies two concurrent changes one after the other', async () => {
    await change({ phases: [DONE[0]] });
    const replies = await Promise.all([
      change({ phases: [DONE[1]] }),
      change({ phases: [{ phase: 'gap_assessment', completed_on: null }] }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  describe('evidence', () => {
    const run = (body: unknown = {}) => operator.post<Record<string, string>[]>('/admin/compliance/checks', body);

    it('is collected when an operator asks, counted, and kept', async () => {
      const first = await run();
      expect(first.status).toBe(200);
      expect(first.body.map(({ check }) => check)).toEqual(CHECK_NAMES);
      expect(first.body.filter(({ status }) => status === 'error')).toEqual([]);
      const { evidence, checks } = await read();
      expect(checks.filter(({ state }) => state === 'missing')).toEqual([]);
      expect(evidence['last_round_at']).not.toBeNull();
      expect(evidence['coverage_percent']).toBe(Math.floor((100 * evidence['passing']!) / evidence['applicable']!));
      expect(evidence['passing']).toBeGreaterThan(5);
      expect(evidence['failing']).toBeGreaterThan(5); // no registers are kept, nothing is reached by TLS
      expect(
        ['passing', 'failing', 'stale', 'missing', 'not_applicable', 'not_automated'].reduce(
          (sum, state) => sum + evidence[state]!,
          0,
        ),
      ).toBe(evidence['controls']);

      await run({ checks: ['tls_public_url'] });
      const history = await operator.get<{ checked_at: string }[]>('/admin/compliance/evidence?check=tls_public_url');
      expect(history.body).toHaveLength(2);
      expect(history.body[0]).toMatchObject({ check: 'tls_public_url', status: 'failed', trigger: 'operator' });
      expect(history.body[0]!.checked_at > history.body[1]!.checked_at).toBe(true);
    });

    it('expires after its window, unless it records a failure', async () => {
      await run({ checks: ['audit_chain', 'audit_activity', 'tls_public_url'] });
      expect((await read()).evidence).toMatchObject({ passing: 2, failing: 1, stale: 0 }); // two controls rest on the log
      await service.database.execute(`UPDATE compliance_evidence SET checked_at = checked_at - interval '25 hours'`);
      const { evidence, checks } = await read();
      expect(evidence).toMatchObject({ passing: 0, failing: 1, stale: 2, coverage_percent: 0 });
      expect(checks.find(({ check }) => check === 'audit_chain')).toMatchObject({ state: 'stale', status: 'passed' });
      await run({ checks: ['audit_chain', 'audit_activity'] });
      expect((await read()).evidence).toMatchObject({ passing: 2, stale: 0 });
    });

    it('is listed with the controls that it supports', async () => {
      await run({ checks: ['audit_chain', 'audit_activity'] });
      const { body } = await operator.get<Record<string, unknown>[]>('/admin/compliance/controls');
      expect(body.find(({ id }) => id === 'OPS-2')).toMatchObject({
        criteria: ['CC7.2'],
        automated: true,
        instead: null,
        state: 'passing',
        checks: [
          { check: 'audit_activity' },
          { check: 'audit_chain', detail: expect.stringContaining('all are intact') },
        ],
      });
      expect(body.find(({ id }) => id === 'GOV-1')).toMatchObject({
        automated: false,
        state: 'not_automated',
        checks: [],
      });
      expect(body.find(({ id }) => id === 'ACC-2')).toMatchObject({ state: 'missing', evidence_at: null });
    });

    it('is returned in pages', async () => {
      await run();
      const seen: unknown[] = [];
      for await (const page of pagesOf<Record<string, unknown>[]>(operator, '/admin/compliance/evidence?limit=10'))
        seen.push(...page.map(({ check }) => check));
      expect(seen).toEqual([...CHECK_NAMES].reverse());
    });

    it.each([
      ['checks', { checks: [] }],
      ['checks', { checks: ['uptime', 'uptime'] }],
      ['checks', { checks: ['everything'] }],
    ])('refuses invalid %s', async (param, body) => {
      const reply = await run(body);
      expect([reply.status, (reply.body as unknown as { errors: { param: string }[] }).errors[0]?.param]).toEqual([
        400,
        param,
      ]);
    });
  });

  describe('the registers', () => {
    const PATH = '/admin/compliance/attestations';
    const yesterday = daysAgo(1).toISOString().slice(0, 10);
    const entry = { kind: 'restore_drill', performed_at: `${yesterday}T09:00:00Z`, performed_by: 'Ada Lovelace' };

    it('record what was done, by whom, and who entered it', async () => {
      const artefact = 'a'.repeat(64);
      const made = await operator.post(PATH, { ...entry, note: 'Into a test server', artefact_sha256: artefact });
      expect([made.status, made.body]).toEqual([
        201,
        expect.objectContaining({
          ...entry,
          performed_at: `${yesterday}T09:00:00.000Z`,
          outcome: 'passed',
          reference: null,
          artefact_sha256: artefact,
          recorded_by: expect.stringContaining('@example.com'),
        }),
      ]);
      const { body } = await operator.post<Record<string, string>[]>('/admin/compliance/checks', {
        checks: ['restore_drill'],
      });
      expect(body[0]).toMatchObject({
        status: 'passed',
        detail: expect.stringContaining(`by Ada Lovelace and passed`),
      });
      expect(body[0]!['detail']).toContain(artefact);
    });

    it('record an act without a time as performed now', async () => {
      const before = Date.now();
      const made = await operator.post<{ performed_at: string }>(PATH, { kind: 'backup', performed_by: 'nightly job' });
      expect(made.status).toBe(201);
      const performedAt = new Date(made.body.performed_at).getTime();
      expect(performedAt).toBeGreaterThanOrEqual(before);
      expect(performedAt).toBeLessThanOrEqual(Date.now());
    });

    it('accept the same act once, and list newest first', async () => {
      await operator.post(PATH, entry);
      const again = await operator.post(PATH, { ...entry, note: 'again' });
      expect([again.status, again.body['code']]).toEqual([409, 'attestation_exists']);
      await operator.post(PATH, { ...entry, kind: 'backup' });
      await operator.post(PATH, { ...entry, kind: 'backup', performed_at: `${yesterday}T10:00:00Z` });
      const all = await operator.get<Record<string, string>[]>(PATH);
      expect(all.body.map(({ kind }) => kind)).toEqual(['backup', 'backup', 'restore_drill']);
      const first = await operator.get<Record<string, string>[]>(`${PATH}?kind=backup&limit=1`);
      const second = await operator.get<Record<string, string>[]>(nextPage(first.headers)!);
      expect([first.body, second.body].map(([one]) => one!['performed_at'])).toEqual([
        `${yesterday}T10:00:00.000Z`,
        `${yesterday}T09:00:00.000Z`,
      ]);
    });

    it.each([
      ['performed_at', { performed_at: '2999-01-01T00:00:00Z' }],
      ['performed_at', { performed_at: 'yesterday' }],
      ['performed_by', { performed_by: ' ' }],
      ['kind', { kind: 'party' }],
      ['outcome', { outcome: 'perhaps' }],
      ['artefact_sha256', { artefact_sha256: 'abc' }],
      ['reference', { kind: 'release_ci' }],
      ['recorded_by', { recorded_by: 'somebody else' }],
    ])('refuse invalid fields in %s, by name', async (param, wrong) => {
      const reply = await operator.post<{ errors: { param: string }[] }>(PATH, { ...entry, ...wrong });
      expect([reply.status, reply.body.errors[0]?.param]).toEqual([400, param]);
    });
  });
});
