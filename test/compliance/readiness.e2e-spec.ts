import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { askedOf, type CheckName, SOC2 } from '../../config/soc2.js';
import { verifyAuditChain } from '../../src/access/index.js';
import type { Check } from '../../src/compliance/checks/check.js';
import { CHECKS } from '../../src/compliance/checks/index.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createSession, createTenant, createUser, TEST_PASSWORD } from '../support/builders.js';
import { countLockWaiters, holdRows } from '../support/held-rows.js';
import { nodesOf, readPdf } from '../support/pages/pdf.js';
import { stopIntervals } from '../support/time/stopped-intervals.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { withTexts } from './published-texts.js';

const DPA = SOC2.agreements.data_processing_agreement.version;
const PRIVACY = SOC2.agreements.privacy_notice.version;

interface Readiness {
  organization: { id: string; name: string };
  programme: Record<string, unknown>;
  evidence: Record<string, number>;
  checklist: Record<string, Record<string, unknown>>;
  controls: (Record<string, unknown> & { checks: Record<string, unknown>[] })[];
}

describe('the SOC 2 readiness of an organization', () => {
  let service: TestService;
  let organizationId: string;
  let owner: AppClient;
  let ownerId: string;
  let ownerEmail: string;
  let admin: AppClient;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
    await stopIntervals(service);
  });
  beforeEach(async () => {
    await service.database.execute('DELETE FROM compliance_evidence');
    ({ organizationId } = await createTenant(service));
    const made = await createMember(service.database, organizationId, 'owner');
    ({ id: ownerId, email: ownerEmail } = made);
    owner = new AppClient(service.url, made.token);
    admin = new AppClient(service.url, (await createMember(service.database, organizationId, 'admin')).token);
  });
  afterAll(() => service.close());

  const path = (rest: string): string => `/orgs/${organizationId}${rest}`;
  const read = async () => (await owner.get<Readiness>(path('/soc2-readiness'))).body;
  const accept = (client: AppClient, agreement: string, version: string) =>
    client.post(path('/agreements'), { agreement, version });
  const download = (token = owner) => token.get<string>(path('/soc2-readiness-report'));

  it('is for administrators of the organization, and for no others', async () => {
    const elsewhere = await createTenant(service);
    const stranger = new AppClient(
      service.url,
      (await createMember(service.database, elsewhere.organizationId, 'owner')).token,
    );
    const member = new AppClient(service.url, (await createMember(service.database, organizationId, 'member')).token);
    for (const route of ['/soc2-readiness', '/soc2-readiness-report', '/agreements']) {
      expect([route, (await admin.get(path(route))).status]).toEqual([route, 200]);
      expect([route, (await member.get(path(route))).body['code']]).toEqual([route, 'role_required']);
      expect([route, (await stranger.get(path(route))).body['code']]).toEqual([route, 'not_found']);
      expect([route, (await new AppClient(service.url).get(path(route))).status]).toEqual([route, 401]);
    }
    expect((await accept(stranger, 'privacy_notice', PRIVACY)).status).toBe(404);
    expect((await accept(member, 'privacy_notice', PRIVACY)).status).toBe(403);
  });

  it('has a checklist that is open at first, except for what the log shows', async () => {
    const { checklist } = await read();
    expect(checklist).toEqual({
      data_processing_agreement: {
        complete: false,
        state: 'open',
        detail: `Version ${DPA} is in force; no version was accepted. The operator has not published its text.`,
        url: null,
        version: DPA,
        accepted_version: null,
        accepted_at: null,
        accepted_by: null,
      },
      privacy_acceptance: {
        complete: false,
        state: 'open',
        detail: expect.any(String),
        url: null,
        version: PRIVACY,
        accepted_version: null,
        accepted_at: null,
        accepted_by: null,
      },
      audit_activity: {
        complete: false,
        state: 'open',
        detail: '0 events, excluding sign-ins and sign-outs; the last one: –.',
        events_last_30_days: 0,
        last_event_at: null,
      },
      data_region: {
        complete: false,
        state: 'open',
        detail: 'The organization has not stated a data region.',
        region: null,
      },
      retention: {
        complete: false,
        state: 'open',
        detail: 'No retention is set; results are kept indefinitely.',
        months: null,
      },
    });
  });

  it('ticks off checklist items as they are done', async () => {
    await owner.patch(path(''), { data_region: 'eu', retention_months: 1 });
    await accept(owner, 'data_processing_agreement', DPA);
    await accept(owner, 'privacy_notice', PRIVACY);
    const { checklist } = await read();
    expect(Object.values(checklist).map(({ complete }) => complete)).toEqual([true, true, true, true, true]);
    expect(checklist['data_processing_agreement']).toMatchObject({ accepted_version: DPA, accepted_by: ownerEmail });
    expect(checklist['audit_activity']).toMatchObject({ events_last_30_days: 3 });
    expect(checklist['data_region']).toMatchObject({ region: 'eu' });
    expect(checklist['retention']).toMatchObject({
      state: 'done',
      months: 1,
      detail: 'Results are kept for 1 month.',
    });
  });

  it('says that the region is stated by the organization and not verified', async () => {
    await owner.patch(path(''), { data_region: 'eu' });
    expect((await read()).checklist['data_region']).toEqual({
      complete: true,
      state: 'stated',
      detail: 'EU, as stated by the organization. The service does not verify where data is stored.',
      region: 'eu',
    });
  });

  it('does not mark an agreement as done while its text is unpublished', async () => {
    await accept(owner, 'data_processing_agreement', DPA);
    const url = 'https://example.com/dpa';
    const item = async () => (await read()).checklist['data_processing_agreement'];
    expect(await item()).toMatchObject({
      complete: true,
      state: 'no_text',
      detail: expect.stringMatching(/accepted by .*\. The operator has not published its text\.$/),
    });
    await withTexts(url, async () =>
      expect(await item()).toMatchObject({ state: 'done', url, detail: expect.stringContaining(`Text: ${url}`) }),
    );
  });

  it('counts the log events of the last 30 days, and dates the latest older one', async () => {
    await owner.patch(path(''), { data_region: 'eu' });
    const { token } = await createMember(service.database, (await createTenant(service)).organizationId, 'owner');
    await new AppClient(service.url, token).get('/auth/me');
    const owners = await service.database.query<{ id: string }>(
      'SELECT id FROM audit_events WHERE organization_id = $1',
      [organizationId],
    );
    expect(owners).toHaveLength(1);
    expect((await read()).checklist['audit_activity']).toMatchObject({ complete: true, events_last_30_days: 1 });
    const old = new Date(Date.now() - 31 * 86_400_000);
    await service.database.transaction(async (tx) => {
      await tx.execute('SET LOCAL session_replication_role = replica');
      await tx.execute('UPDATE audit_events SET occurred_at = $2 WHERE organization_id = $1', [organizationId, old]);
    });
    expect((await read()).checklist['audit_activity']).toMatchObject({
      complete: false,
      events_last_30_days: 0,
      last_event_at: old.toISOString(),
    });
  });

  it('does not count signing in and out, which reading it requires, as activity', async () => {
    const signIn = (password: string) =>
      new AppClient(service.url).post<{ token: string }>('/auth/login', { email: ownerEmail, password });
    const noted = async (): Promise<string[]> => {
      const events = await service.database.query<{ action: string }>(
        'SELECT action FROM audit_events WHERE organization_id = $1 ORDER BY sequence',
        [organizationId],
      );
      return events.map(({ action }) => action);
    };
    expect((await signIn('not the password')).status).toBe(401);
    await eventually('the refusal is recorded, after its reply', async () => (await noted()).length > 0 || undefined);
    const { body } = await signIn(TEST_PASSWORD);
    owner = new AppClient(service.url, body.token);
    expect(await noted()).toEqual(['session.refused', 'session.opened']);
    expect((await read()).checklist['audit_activity']).toMatchObject({
      complete: false,
      events_last_30_days: 0,
      last_event_at: null,
    });
  });

  it('keeps who accepted an agreement first, and accepts the current version only', async () => {
    const old = await accept(owner, 'privacy_notice', '1999-01-01');
    expect([old.status, old.body['code'], old.body['version']]).toEqual([409, 'agreement_version_outdated', PRIVACY]);
    expect((await accept(owner, 'terms', PRIVACY)).status).toBe(400);
    const first = await accept(owner, 'privacy_notice', PRIVACY);
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({
        agreement: 'privacy_notice',
        accepted: true,
        acceptance: expect.objectContaining({ version: PRIVACY, user_id: ownerId, email: ownerEmail }),
      }),
    ]);
    expect((await accept(admin, 'privacy_notice', PRIVACY)).body).toEqual(first.body);
    const noted = await service.database.query(
      `SELECT FROM audit_events WHERE organization_id = $1 AND action = 'agreement.accepted'`,
      [organizationId],
    );
    expect(noted).toHaveLength(1);
  });

  it('shows an acceptance of an earlier version, which does not count', async () => {
    await service.database.execute(
      `INSERT INTO agreement_acceptances VALUES ($1, 'privacy_notice', '2019-01-01', now() - interval '1 year', $2, 'ada@example.com'),
         ($1, 'privacy_notice', '2020-01-01', now(), $2, 'grace@example.com'),
         ($1, 'privacy_notice', '2018-01-01', now() - interval '2 years', $2, 'ada@example.com')`,
      [organizationId, ownerId],
    );
    expect((await read()).checklist['privacy_acceptance']).toMatchObject({
      complete: false,
      version: PRIVACY,
      accepted_version: '2020-01-01',
      accepted_by: 'grace@example.com',
    });
  });

  const runChecks = async (): Promise<void> => {
    const { id } = await createUser(service.database, { isOperator: true });
    const operator = new AppClient(service.url, await createSession(service.database, id));
    await operator.post('/admin/compliance/checks');
  };
  const checkOf = async (name: string) =>
    (await read()).controls.flatMap(({ checks }) => checks).find(({ check }) => check === name)!;

  it('explains each control, what it requires and why it fails', async () => {
    await runChecks();
    const { controls } = await read();
    expect(controls.find(({ id }) => id === 'GOV-1')).toMatchObject({
      statement: SOC2.controls[0]!.statement,
      automated: false,
      instead: 'The code of conduct and the signed acknowledgements.',
      checks: [],
    });
    expect(controls.find(({ id }) => id === 'AVL-2')).toMatchObject({
      statement: 'Backups are made every day and recorded with their checksum.',
      instead: null,
      state: 'failing',
      checks: [
        {
          check: 'backup_recent',
          asks: 'The latest entry in the register of backups passed and is no older than 2 days.',
          scope: 'platform',
          state: 'failing',
          detail: 'No backup is on record.',
        },
      ],
    });
  });

  it('judges customer controls by what the organization itself has done', async () => {
    await createMember(service.database, (await createTenant(service)).organizationId, 'owner');
    await runChecks();
    await service.database.execute(
      'UPDATE users SET totp_confirmed_at = now() WHERE id IN (SELECT user_id FROM memberships WHERE organization_id = $1)',
      [organizationId],
    );
    expect(await checkOf('second_factor_admins')).toMatchObject({
      scope: 'organization',
      state: 'passing',
      detail: '2 of 2 administrators and owners (100%) with a second factor; 100% required.',
    });
    await service.database.execute('UPDATE users SET totp_confirmed_at = NULL WHERE id = $1', [ownerId]);
    expect(await checkOf('second_factor_admins')).toMatchObject({
      state: 'failing',
      detail: expect.stringMatching(/^1 of 2 /),
    });
    await withTexts('https://example.com/terms', async () => {
      await accept(owner, 'data_processing_agreement', DPA);
      expect(await checkOf('agreements_accepted')).toMatchObject({
        state: 'failing',
        detail: 'Not every agreement in force was accepted.',
      });
      await accept(owner, 'privacy_notice', PRIVACY);
      expect(await checkOf('agreements_accepted')).toMatchObject({
        state: 'passing',
        detail: 'Every agreement in force was accepted.',
      });
    });
    expect(await checkOf('api_keys_rotated')).toMatchObject({ detail: expect.stringMatching(/^2 live API keys;/) });
    expect(await checkOf('leavers_removed')).toMatchObject({
      asks: 'No live API key was created by a user who is no longer a member.',
      detail: '0 live API keys created by users who are no longer members.',
    });
    expect(askedOf('leavers_removed', 'all')).toMatch(
      /no longer a member\. No user without an organization has an open session\./,
    );
    expect(await checkOf('access_reviewed')).toMatchObject({ detail: expect.stringMatching(/^2 of 2 memberships /) });
  });

  it('is refused when a check cannot run, rather than reported as a finding', async () => {
    const broken = jest
      .spyOn(CHECKS as Record<CheckName, Check>, 'api_keys_rotated')
      .mockRejectedValue(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    for (const route of ['/soc2-readiness', '/soc2-readiness-report']) {
      expect([route, (await owner.get(path(route))).status]).toEqual([route, 503]);
    }
    broken.mockRestore();
    expect((await owner.get(path('/soc2-readiness'))).status).toBe(200);
  });

  it('reveals only whether checks across all organizations pass', async () => {
    await runChecks();
    await service.database.execute(
      `UPDATE compliance_evidence SET status = 'failed', detail = 'organization 4711 is broken' WHERE check_name IN ('audit_chain', 'sessions_end')`,
    );
    await service.database.execute(
      `UPDATE compliance_evidence SET status = 'error', detail = 'The check could not run: 4711' WHERE check_name = 'uptime'`,
    );
    expect(await checkOf('audit_chain')).toMatchObject({
      state: 'failing',
      detail: 'The check failed. Its findings concern the whole platform and are available to its operator only.',
    });
    expect(await checkOf('uptime')).toMatchObject({ state: 'failing', detail: 'The check could not run.' });
    expect(await checkOf('credentials_hashed')).toMatchObject({ state: 'passing', detail: null });
    const { text } = await owner.get(path('/soc2-readiness'));
    expect(text).not.toContain('4711');
  });

  it('shows the state of the platform, and coverage by listed controls', async () => {
    await runChecks();
    const { text } = await owner.get(path('/soc2-readiness'));
    const body = await read();
    expect(body.organization.id).toBe(organizationId);
    expect(body.controls).toHaveLength(SOC2.controls.length);
    expect(body.evidence['coverage_percent']).toBe(
      Math.floor((100 * body.evidence['passing']!) / body.evidence['applicable']!),
    );
    expect(body.evidence['passing']).toBe(body.controls.filter(({ state }) => state === 'passing').length);
    expect(text).not.toMatch(/ chains? with /);
  });

  describe('as a PDF', () => {
    const fetchPdf = async (): Promise<{ pdf: Buffer; headers: Headers }> => {
      const token = await createSession(service.database, ownerId);
      const reply = await fetch(service.url + path('/soc2-readiness-report'), {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(reply.status).toBe(200);
      return { pdf: Buffer.from(await reply.arrayBuffer()), headers: reply.headers };
    };

    it('is a file of its own, logged as an export with its checksum', async () => {
      const token = await createSession(service.database, ownerId);
      const authorized = { authorization: `Bearer ${token}` };
      await fetch(service.url + path('/soc2-readiness-report'), { method: 'HEAD', headers: authorized }); // exports nothing
      const { pdf, headers } = await fetchPdf();
      expect(headers.get('content-type')).toBe('application/pdf');
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="soc2-readiness-\d{4}-\d\d-\d\d\.pdf"$/,
      );
      expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7');
      const [event, ...more] = await service.database.query<{ actor_id: string; details: Record<string, string> }>(
        `SELECT actor_id, details FROM audit_events WHERE organization_id = $1 AND action = 'soc2_report.exported'`,
        [organizationId],
      );
      expect(more).toEqual([]);
      expect(event).toMatchObject({ actor_id: ownerId });
      expect(event!.details['sha256']).toBe(createHash('sha256').update(pdf).digest('hex'));
      expect(readPdf(pdf).pages[0]!.replaceAll(' ', '')).toContain(event!.details['report_id']);
      expect(await verifyAuditChain(service.database, organizationId)).toMatchObject({ intact: true });
    });

    it('is generated for two callers of an organization at a time, and others wait', async () => {
      await using held = await holdRows(service.database, 'LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE');
      const asked = Array.from({ length: 4 }, () => download());
      await held.untilAwaitedBy(2);
      await sleep(300); // in which all four would have come to the table
      expect(await countLockWaiters(service.database)).toBe(2);
      await held.release();
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(4).fill(200));
    });

    it('contains what the JSON contains', async () => {
      await owner.patch(path(''), { name: 'Ærøskøbing Handel A/S', data_region: 'uk', retention_months: 24 });
      await accept(owner, 'data_processing_agreement', DPA);
      const body = await read();
      const { root, pages } = readPdf((await fetchPdf()).pdf);
      const text = pages.join(' ');
      expect(nodesOf(root, 'H1').map(({ text }) => text)).toEqual(['SOC 2 readiness report']);
      expect(text).toContain('Ærøskøbing Handel A/S');
      expect(text).toContain(organizationId);
      expect(text).toContain(
        `${body.evidence['coverage_percent']}% (${body.evidence['passing']} of ${body.evidence['applicable']})`,
      );
      expect(text).toContain(`Version ${DPA} accepted by ${ownerEmail}`.slice(0, 40));
      const [programme, checklist, ...families] = nodesOf(root, 'Table').map((table) =>
        nodesOf(table, 'TR').map((row) => row.children.map(({ text }) => text)),
      );
      expect(programme!.map(([phase]) => phase)).toEqual([
        'Phase',
        'Gap assessment',
        'Documentation',
        'Type I',
        'Monitoring',
        'Type II',
      ]);
      const joined = (text: unknown): string => String(text).replaceAll(' ', ''); // a long address is broken over lines
      expect(checklist!.slice(1).map(([, state, detail]) => [state, joined(detail)])).toEqual([
        ['Accepted; no text published', joined(body.checklist['data_processing_agreement']!['detail'])],
        ['Open', joined(body.checklist['privacy_acceptance']!['detail'])],
        ['Done', joined(body.checklist['audit_activity']!['detail'])],
        ['Stated, not verified', joined(body.checklist['data_region']!['detail'])],
        ['Done', joined(body.checklist['retention']!['detail'])],
      ]);
      const byFamily = families.filter(([header]) => header![0] === 'Control');
      const listed = new Set(byFamily.flatMap((rows) => rows.slice(1).map(([id]) => id)));
      expect([...listed].sort()).toEqual(body.controls.map(({ id }) => id).sort());
    });

    it('says so when there is no evidence', async () => {
      const { root } = readPdf((await fetchPdf()).pdf);
      const rows = nodesOf(root, 'TR').map((row) => row.children.map(({ text }) => text));
      const platform = rows.filter(([, scope]) => scope === 'Platform');
      expect(platform.length).toBeGreaterThan(10);
      expect(new Set(platform.map(([, , state, found]) => [state, found].join(': ')))).toEqual(
        new Set(['No evidence: Never checked.']),
      );
      expect((await download()).status).toBe(200);
    });
  });
});
