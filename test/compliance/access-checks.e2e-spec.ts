import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SOC2 } from '../../config/soc2.js';
import { HASH_COLUMNS, SEALED_COLUMNS } from '../../src/compliance/checks/secrets.queries.js';
import { createMember, createSession, createTenant, createUser } from '../support/builders.js';
import { CheckedInstallation, daysAgo } from './checked-installation.js';

const { policy } = SOC2;

describe('a check of who has access, and with which secrets', () => {
  const given = CheckedInstallation.forTests();

  it('second_factor_operators: requires one of every operator', async () => {
    expect(await given.look('second_factor_operators')).toMatchObject({ status: 'not_applicable' });
    await createUser(given.service.database, { isOperator: true });
    await given.expectPass('second_factor_operators', /^1 of 1 operator \(100%\)/);
    await createUser(given.service.database, { isOperator: true, secondFactor: false });
    await given.expectFailure('second_factor_operators', /^1 of 2 operators \(50%\)/);
    await given.sql(
      `INSERT INTO users (id, email, name, password_hash, is_operator, totp_confirmed_at, password_changed_at, created_at)
       SELECT gen_random_uuid(), 'operator' || n, 'Op', '', true, now(), now(), now() FROM generate_series(1, 300) AS n`,
    );
    await given.expectFailure('second_factor_operators', /^301 of 302 operators \(99%\)/); // never rounded up
  });

  it('second_factor_admins: requires one of every admin and owner, but not of viewers', async () => {
    const { id } = await createMember(given.service.database, given.tenant.organizationId, 'owner');
    await createMember(given.service.database, given.tenant.organizationId, 'viewer');
    await given.expectFailure('second_factor_admins', /^0 of 1 administrator or owner/);
    await given.sql('UPDATE users SET totp_confirmed_at = now() WHERE id = $1', id);
    await given.expectPass('second_factor_admins', /^1 of 1/);
    await given.sql('UPDATE users SET totp_confirmed_at = NULL WHERE id = $1', id);
    await given.sql('UPDATE organizations SET suspended_at = now()');
    expect(await given.look('second_factor_admins')).toMatchObject({ status: 'not_applicable' });
  });

  it('access_reviewed: finds members who have long gone without a review', async () => {
    await createMember(given.service.database, given.tenant.organizationId, 'member');
    await given.expectPass('access_reviewed', /^1 of 1 membership /);
    await given.sql('UPDATE memberships SET created_at = $1', daysAgo(policy.access_review_days + 1));
    await given.expectFailure('access_reviewed', /1 overdue/);
    await given.sql('UPDATE memberships SET reviewed_at = $1', daysAgo(policy.access_review_days - 1));
    await given.expectPass('access_reviewed');
    await given.sql('UPDATE memberships SET reviewed_at = $1', daysAgo(policy.access_review_days + 1));
    await given.expectFailure('access_reviewed', /1 overdue/);
    await given.sql('UPDATE organizations SET suspended_at = now()'); // whose administrators are let in nowhere
    expect(await given.look('access_reviewed')).toMatchObject({ status: 'not_applicable' });
  });

  it('access_reviewed: passes throughout the day on which the review of the next quarter is due', async () => {
    await createMember(given.service.database, given.tenant.organizationId, 'member');
    await given.sql('UPDATE memberships SET created_at = $1', new Date('2024-07-01T09:00Z'));
    await given.expectPass('access_reviewed', /0 overdue/, { now: new Date('2024-10-01T18:00Z') });
  });

  it('api_keys_rotated: passes throughout the day on which the rotation of the next year is due', async () => {
    await given.sql('UPDATE api_keys SET created_at = $1', new Date('2023-03-01T09:00Z'));
    await given.expectPass('api_keys_rotated', /; 0 older/, { now: new Date('2024-03-01T18:00Z') }); // after 366 days
    await given.sql(`UPDATE api_keys SET successor_id = id, expires_at = '2024-03-08T18:00Z'`);
    await given.expectPass('api_keys_rotated', /; 0 older/, { now: new Date('2024-03-08T09:00Z') }); // both still work
  });

  it('leavers_removed: finds sessions and keys of people who have left', async () => {
    const member = await createMember(given.service.database, given.tenant.organizationId, 'admin');
    await given.sql('UPDATE api_keys SET created_by = $1', member.id);
    await createSession(given.service.database, (await createUser(given.service.database, { isOperator: true })).id);
    await given.expectPass('leavers_removed');
    await given.sql('DELETE FROM memberships');
    await given.expectFailure('leavers_removed', /^1 open session .* 2 live API keys/);
    for (const [end, undo] of [
      ['revoked_at = now()', 'revoked_at = NULL'],
      [`expires_at = now() - interval '1 second'`, `expires_at = now() + interval '1 day'`],
      [`last_seen_at = now() - interval '400 days'`, 'last_seen_at = now()'],
    ]) {
      await given.sql(`UPDATE sessions SET ${end}`);
      await given.expectFailure('leavers_removed', /^0 open sessions .* 2 live API keys/);
      await given.sql(`UPDATE sessions SET ${undo}`);
    }
    await given.expectFailure('leavers_removed', /^1 open session .* 2 live API keys/);
    await given.sql('UPDATE organizations SET suspended_at = now()');
    await given.expectFailure('leavers_removed', /^1 open session .* 0 live API keys/);
    await given.sql('UPDATE organizations SET suspended_at = NULL');
    await given.sql('DELETE FROM users WHERE id = $1', member.id);
    await given.expectFailure('leavers_removed', /^0 open sessions .* 2 live API keys/);
    await given.sql('UPDATE api_keys SET revoked_at = now()');
    await given.expectPass('leavers_removed');
  });

  it('sessions_end: finds sessions that never end, and old ones never cleaned up', async () => {
    await createSession(given.service.database, (await createUser(given.service.database)).id);
    await createSession(given.service.database, (await createUser(given.service.database)).id);
    await given.sql('UPDATE sessions SET revoked_at = now() WHERE id = (SELECT max(id::text)::uuid FROM sessions)');
    await given.expectPass('sessions_end', /^1 open session; 0 last longer than 14 days/);
    await given.sql(`UPDATE sessions SET expires_at = now() + interval '400 days'`);
    await given.expectFailure('sessions_end', /; 1 last longer/);
    await given.sql(`UPDATE sessions SET expires_at = $1`, daysAgo(32));
    await given.expectFailure('sessions_end', /; 2 ended more than/);
  });

  it('credentials_hashed: finds a key, a session or a password in plain text', async () => {
    await createSession(given.service.database, (await createUser(given.service.database)).id);
    // no more than was looked at
    await given.expectPass(
      'credentials_hashed',
      /^1 of 1 password hashed with argon2id; .* all with the length of a SHA-256\.$/,
    );
    await given.sql(`UPDATE api_keys SET hash = convert_to('fk_plain' || id, 'UTF8')`);
    await given.sql(`UPDATE sessions SET token_hash = convert_to('fs_plain_token_of_someone', 'UTF8')`);
    await given.expectFailure('credentials_hashed', /not as hashes: 2 in api_keys.hash, 1 in sessions.token_hash/);
    await given.sql('DELETE FROM api_keys');
    await given.sql('DELETE FROM sessions');
    await given.sql(`UPDATE users SET password_hash = 'correct horse'`);
    await given.expectFailure('credentials_hashed', /^0 of 1 password/);
    await given.sql(`UPDATE users SET password_hash = '5f4dcc3b5aa765d61d8327deb882cf99'`);
    await given.expectFailure('credentials_hashed', /^0 of 1 password/);
  });

  it('api_keys_rotated: finds an aged key, and a replaced one without an end date', async () => {
    await given.expectPass('api_keys_rotated', /^2 live API keys; 0 older/);
    await given.sql('UPDATE api_keys SET created_at = $1', daysAgo(policy.api_key_age_days + 1));
    await given.expectFailure('api_keys_rotated', /; 2 older than 367 days/);
    await given.sql('UPDATE api_keys SET created_at = now(), successor_id = id');
    await given.expectFailure('api_keys_rotated', /; 2 replaced but without an expiry/);
    await given.sql('UPDATE api_keys SET revoked_at = now()');
    expect(await given.look('api_keys_rotated')).toMatchObject({ status: 'not_applicable' });
  });

  it('api_keys_allowlisted: finds keys without an allowlist', async () => {
    await given.expectFailure('api_keys_allowlisted', /^0 of 2/);
    await given.sql(`UPDATE api_keys SET ip_allowlist = '{192.0.2.0/24}' WHERE workspace_id IS NOT NULL`);
    await given.expectFailure('api_keys_allowlisted', /^1 of 2 live API keys \(50%\)/);
    await given.sql(`UPDATE organizations SET ip_allowlist = '{192.0.2.0/24}'`);
    await given.expectPass('api_keys_allowlisted', /^2 of 2/);
  });

  it.each(['{0.0.0.0/0}', '{192.0.2.0/24,::/0}'])(
    'api_keys_allowlisted: the allowlist %s restricts no key, since it admits every address',
    async (everywhere) => {
      await given.sql(`UPDATE api_keys SET ip_allowlist = $1`, everywhere);
      await given.expectFailure('api_keys_allowlisted', /^0 of 2/);
      await given.sql(`UPDATE api_keys SET ip_allowlist = '{192.0.2.0/24}' WHERE workspace_id IS NOT NULL`);
      await given.sql(`UPDATE organizations SET ip_allowlist = $1`, everywhere);
      await given.expectFailure('api_keys_allowlisted', /^1 of 2/);
      await given.sql(`UPDATE organizations SET ip_allowlist = '{192.0.2.0/24}'`);
      await given.expectPass('api_keys_allowlisted', /^2 of 2/);
    },
  );

  it('ignores keys of a suspended organization, which work nowhere and cannot be replaced', async () => {
    const { id: stranger } = await createUser(given.service.database);
    const old = daysAgo(policy.api_key_age_days + 1);
    await given.sql('UPDATE api_keys SET created_at = $1, created_by = $2', old, stranger);
    const checks = ['leavers_removed', 'api_keys_rotated', 'api_keys_allowlisted'] as const;
    const judged = async (): Promise<string[]> => {
      const found = [];
      for (const name of checks) found.push((await given.look(name)).status);
      return found;
    };
    expect(await judged()).toEqual(['failed', 'failed', 'failed']);
    await given.sql('UPDATE organizations SET suspended_at = now()');
    expect(await judged()).toEqual(['passed', 'not_applicable', 'not_applicable']);
  });

  it('leaves out the demo organization, and checks a single organization when named', async () => {
    const others = await createTenant(given.service);
    await given.sql(`UPDATE organizations SET is_demo = true, name = 'Demo' WHERE id = $1`, others.organizationId);
    const { id } = await createMember(given.service.database, others.organizationId, 'owner');
    await given.sql('UPDATE api_keys SET created_by = $1', id); // those of the first are of a stranger
    await given.sql('UPDATE memberships SET created_at = $1', daysAgo(policy.access_review_days + 1));
    const judged = async (organizationId: string | null): Promise<string[]> => {
      const names = [
        'second_factor_admins',
        'access_reviewed',
        'leavers_removed',
        'api_keys_rotated',
        'api_keys_allowlisted',
      ] as const;
      const found = [];
      for (const name of names) found.push(await given.look(name, { organizationId }));
      return found.map(({ status, detail }) => `${status}: ${/\d+( of \d+)?/.exec(detail)?.[0] ?? 'none'}`);
    };
    const first = ['not_applicable: none', 'not_applicable: none'];
    expect(await judged(null)).toEqual([...first, 'failed: 0', 'passed: 2', 'failed: 0 of 2']);
    expect(await judged(given.tenant.organizationId)).toEqual([...first, 'failed: 2', 'passed: 2', 'failed: 0 of 2']);
    expect(await judged(others.organizationId)).toEqual([
      'failed: 0 of 1',
      'failed: 0 of 1',
      'passed: 0',
      'passed: 2',
      'failed: 0 of 2',
    ]);
  });

  it('sealed_secrets: names what the current key cannot open', async () => {
    const user = await createUser(given.service.database, { secondFactor: true });
    await given.expectPass('sealed_secrets', /^1 of 1 stored secret /);
    const secrets = { ...given.service.secrets, encryptionKey: Buffer.alloc(32, 7) };
    await given.expectFailure('sealed_secrets', new RegExp(`^0 of 1 .* Not decryptable: users ${user.id}\\.`), {
      secrets,
    });
    const other = await createUser(given.service.database);
    await given.sql(
      'UPDATE users SET totp_secret = (SELECT totp_secret FROM users WHERE id = $1) WHERE id = $2',
      user.id,
      other.id,
    );
    await given.expectFailure('sealed_secrets', new RegExp(`^1 of 2 .* Not decryptable: users ${other.id}\\.`)); // sealed for somebody else
  });

  it('sealed_secrets: checks more than one batch', async () => {
    const { id } = await createUser(given.service.database, { secondFactor: true });
    await given.sql(
      `INSERT INTO users (id, email, name, password_hash, password_changed_at, created_at, totp_secret)
       SELECT gen_random_uuid(), n || '@example.com', 'x', 'x', now(), now(), totp_secret
       FROM users, generate_series(1, 1200) n WHERE id = $1`,
      id,
    );
    await given.expectFailure('sealed_secrets', /^1 of 1,201 .* and 1195 more\./);
  });

  it('knows what every bytea column contains', async () => {
    const columns = await given.sql(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'bytea' ORDER BY 1`,
    );
    const known = [...SEALED_COLUMNS, ...HASH_COLUMNS].map(({ table, column }) => `${table}.${column}`);
    const neither = [
      'api_keys.former_pepper',
      'audit_events.hash',
      'audit_events.previous_hash',
      'audit_heads.hash',
      'connector_deliveries.body',
      'forecasts.backtest',
      'forecasts.bands',
      'forecasts.history',
      'forecasts.mean',
      'forecasts.order_sizes',
      'forecasts.quantiles',
      'idempotency_keys.request_hash',
      'import_chunks.bytes',
      'secret_checks.digest',
      'sign_in_attempts.subject',
    ];
    expect(columns.map(({ name }) => name)).toEqual([...known, ...neither].sort());
  });

  it('secrets_private: finds keys that others can read', async () => {
    await given.expectPass('secrets_private', /only the service can read them/);
    const file = join(given.service.settings.DATA_DIR, 'secrets', 'left-open');
    writeFileSync(file, 'x', { mode: 0o644 });
    chmodSync(file, 0o644);
    await given.expectFailure('secrets_private', /readable by others: left-open\.$/);
    chmodSync(file, 0o640);
    await given.expectFailure('secrets_private', /readable by others: left-open\.$/);
    chmodSync(file, 0o600);
    await given.expectPass('secrets_private');
    chmodSync(dirname(file), 0o750);
    await given.expectFailure('secrets_private', /readable by others: the directory\.$/);
    chmodSync(dirname(file), 0o700);
    const settings = { ...given.service.settings, DATA_DIR: '/nowhere' };
    await expect(given.look('secrets_private', { settings })).rejects.toThrow('ENOENT');
  });
});
