import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { CHECK_NAMES, SOC2 } from '../../config/soc2.js';
import { CHECKS_OF_THE_API } from '../../src/compliance/checks/index.js';
import { admin, adminWithin } from '../support/admin.js';
import { TEST_ENCRYPTION_KEY } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { withClient } from '../../src/platform/database/connections/with-client.js';

/** Controls that have no evidence until the API has looked. */
const NEED_THE_API = SOC2.controls.filter(
  (control) => control.automated && control.checks.some((name) => CHECKS_OF_THE_API.includes(name)),
);

describe('compliance from the command line', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    environment = {
      DATABASE_URL: database.url,
      DATA_DIR: mkdtempSync(join(tmpdir(), 'compliance-cli-')),
      API_KEY_PEPPER: 'pepper-of-the-test-services-only-0123456789',
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    };
  });
  beforeEach(() =>
    withClient(database.url, async (client: pg.Client) => {
      await client.query('DELETE FROM compliance_evidence');
      await client.query('DELETE FROM compliance_attestations');
    }),
  );
  afterAll(async () => {
    await database.drop();
    rmSync(environment['DATA_DIR']!, { recursive: true, force: true });
  });

  const answer = async (...args: string[]): Promise<unknown> => {
    const { code, out, err } = await adminWithin(environment, 'compliance', ...args, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as unknown;
  };
  const events = () =>
    withClient(database.url, async (client: pg.Client) => {
      const { rows } = await client.query<{ action: string }>('SELECT action FROM audit_events ORDER BY id');
      return rows.map(({ action }) => action);
    });

  it('runs the checks, reports the findings, and shows the coverage of the controls', async () => {
    const before = await events();
    expect(await answer('show')).toMatchObject({ phase: 'gap_assessment', coverage_percent: 0, passing: 0 });
    const found = (await answer('run')) as { check: string; status: string }[];
    expect(found.map(({ check }) => check).sort()).toEqual([...CHECK_NAMES].sort());
    expect(found.filter(({ status }) => status === 'error')).toEqual([]);
    expect(found.find(({ check }) => check === 'migrations_applied')).toMatchObject({ status: 'passed' });
    expect(await answer('run', '--check', 'row_level_security')).toEqual([
      { check: 'row_level_security', status: 'passed', detail: expect.stringContaining('owns 0 tables') },
    ]);
    const shown = (await answer('show')) as Record<string, number>;
    expect(shown['missing']).toBe(NEED_THE_API.length);
    expect(shown['coverage_percent']).toBeGreaterThan(0);
    expect(await events()).toEqual([...before, 'compliance.checked', 'compliance.checked']);
  });

  it('prints the same as a process as in-process', async () => {
    const { code, out, err } = await admin(environment, 'compliance', 'show', '--json');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual(await answer('show'));
  });

  it('skips checks about the API, saying so: they would judge another process', async () => {
    const skipped = ((await answer('run')) as { check: string; status: string; detail: string }[]).filter(
      ({ status }) => status === 'skipped',
    );
    expect(skipped.map(({ check }) => check)).toEqual(CHECKS_OF_THE_API);
    expect(skipped[0]!.detail).toContain('its last evidence stays valid');
    await withClient(database.url, async (client: pg.Client) => {
      const kept = 'SELECT FROM compliance_evidence WHERE check_name = ANY($1)';
      expect((await client.query(kept, [CHECKS_OF_THE_API])).rows).toEqual([]);
    });
  });

  it('records an act once, however often a job repeats the call', async () => {
    const call = [
      'attest',
      'backup',
      '--by',
      'nightly job',
      '--at',
      '2026-11-20T02:00:00Z',
      '--sha256',
      'b'.repeat(64),
    ];
    // others that differ in one thing each
    for (const other of [
      call.with(1, 'restore_drill'),
      call.with(5, '2026-11-19T02:00:00Z'),
      [...call, '--reference', 'weekly'],
    ])
      expect(await answer(...other, '--sha256', 'c'.repeat(64))).toMatchObject({ created: true });
    expect(await answer(...call)).toMatchObject({
      kind: 'backup',
      outcome: 'passed',
      recorded_by: expect.stringMatching(/^command line \(.+\)$/),
      created: true,
    });
    expect(await answer(...call)).toMatchObject({ artefact_sha256: 'b'.repeat(64), created: false });
    expect(
      await answer('attest', 'release_ci', '--by', 'CI', '--reference', '1.4.0', '--outcome', 'failed'),
    ).toMatchObject({
      reference: '1.4.0',
      outcome: 'failed',
      created: true,
    });
    expect((await events()).filter((action) => action === 'compliance.attested')).toHaveLength(5);
  });

  it('does not treat a failed act as a repetition of one that passed', async () => {
    const note = 'n'.repeat(2_000);
    const call = ['attest', 'restore_drill', '--by', 'a test', '--at', '2026-11-19T02:00:00Z', '--note', note];
    expect(await answer(...call)).toMatchObject({ outcome: 'passed', note, created: true });
    const { code, out, err } = await adminWithin(environment, 'compliance', ...call, '--outcome', 'failed');
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('already exists with the outcome passed; correct it by adding one with a later --at');
  });

  it.each([
    [['attest', 'party', '--by', 'x'], 'the kind must be one of backup'],
    [['attest', 'backup'], "required option '--by <name>' not specified"],
    [['attest', 'backup', '--by', 'x', '--at', 'yesterday'], '--at "yesterday" is not an ISO 8601'],
    [['attest', 'backup', '--by', 'x', '--at', '2999-01-01'], '--at must not be in the future'],
    [['attest', 'backup', '--by', 'x', '--sha256', 'abc'], '--sha256 must be 64'],
    [['attest', 'release_ci', '--by', 'x'], '--reference is required if kind is release_ci'],
    [['run', '--check', 'tls_public_url'], 'tls_public_url cannot run here. It inspects the settings'],
    [['run', '--check', 'everything'], '--check must be one of second_factor_operators'],
  ])('refuses %j in one line', async (args, message) => {
    const { code, out, err } = await adminWithin(environment, 'compliance', ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
