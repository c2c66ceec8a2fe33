import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditAction, recordAudit, verifyAuditChain } from '../../src/access/index.js';
import { AuditService } from '../../src/access/audit/audit.service.js';
import { asTenant } from '../../src/platform/database/scope.js';
import { newId } from '../../src/platform/ids.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createOrganization, createSession, createUser } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface Event {
  id: string;
  sequence: number;
  occurred_at: string;
  action: string;
  actor: { kind: string; id: string | null; name: string; address: string | null };
  target: { kind: string; id: string };
  details: Record<string, unknown>;
  hash: string;
}

describe('the audit log', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  async function organization() {
    const { id } = await createOrganization(service.database);
    const user = await createMember(service.database, id, 'owner');
    return { id, email: user.email, client: new AppClient(service.url, user.token), log: `/orgs/${id}/audit-log` };
  }
  const record = (organizationId: string, action: string, details: Record<string, unknown> = {}) =>
    service.database.transaction((tx) =>
      recordAudit(tx, {
        organizationId,
        actor: { kind: 'system', id: null, name: 'test', address: null },
        action: action as AuditAction, // or one that an earlier release wrote
        target: { kind: 'test', id: '1' },
        details,
        now: new Date(),
      }),
    );
  /** Changes the log as only someone who owns the tables can. */
  const tamper = async (sql: string, values: unknown[]) => {
    await service.database.execute('ALTER TABLE audit_events DISABLE TRIGGER audit_events_append_only');
    await service.database.execute(sql, values);
    await service.database.execute('ALTER TABLE audit_events ENABLE TRIGGER audit_events_append_only');
  };

  it('records who did what, without secrets', async () => {
    const { client, log, id, email } = await organization();
    const key = await client.post<{ id: string; api_key: string }>(`/orgs/${id}/api-keys`, { name: 'ERP' });
    const invited = await client.post<{ token: string }>(`/orgs/${id}/invitations`, {
      email: 'x@example.com',
      role: 'viewer',
    });
    await client.delete(`/orgs/${id}/api-keys/${key.body.id}`);
    const { body, text } = await client.get<Event[]>(log);
    expect(body.map((event) => event.action)).toEqual(['api_key.revoked', 'invitation.created', 'api_key.created']);
    expect(body.map((event) => event.sequence)).toEqual([3, 2, 1]);
    expect(body[0]!.actor).toMatchObject({ kind: 'user', name: email, address: '127.0.0.1' });
    expect(text).not.toContain(key.body.api_key);
    expect(text).not.toContain(invited.body.token);
  });

  it('refuses an unknown action as a filter, except one recorded by an earlier release', async () => {
    const { client, log, id } = await organization();
    const refused = await client.get<{ code: string; errors: { param: string; message: string }[] }>(
      `${log}?action=api_key.create`,
    );
    expect([refused.status, refused.body.code, refused.body.errors[0]!.param]).toEqual([
      400,
      'invalid_request',
      'action',
    ]);
    expect(refused.body.errors[0]!.message).toMatch(/^must be one of .*\bapi_key\.created\b/);
    const read = async (action: string) => (await client.get<Event[]>(`${log}?action=${action}`)).body;
    expect(await read('run.started')).toEqual([]);
    await record(id, 'api_key.create');
    expect((await read('api_key.create')).map(({ sequence }) => sequence)).toEqual([1]);
  });

  it('records the addresses that a key may be used from, on creation and on change', async () => {
    const { client, log, id } = await organization();
    const [first, then] = [['192.0.2.0/24'], ['2001:db8::/32']];
    const key = await client.post<{ id: string }>(`/orgs/${id}/api-keys`, { name: 'ERP', ip_allowlist: first });
    await client.patch(`/orgs/${id}/api-keys/${key.body.id}`, { ip_allowlist: then });
    const [changed, created] = (await client.get<Event[]>(log)).body;
    expect(created!.details).toEqual({ name: 'ERP', workspace_id: null, ip_allowlist: first, expires_at: null });
    expect(changed!.details).toEqual({ name: 'ERP', ip_allowlist: then, before: { ip_allowlist: first } });
  });

  it('refuses a range that ends before it begins', async () => {
    const { client, log } = await organization();
    expect(await client.get(`${log}?from=2026-01-02&to=2026-01-01`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ param: 'to', message: 'must not be before from' }] },
    });
    expect((await client.get<Event[]>(`${log}?from=2026-01-01&to=2026-01-01`)).body).toEqual([]);
  });

  it('filters, pages and exports, and records the export', async () => {
    const { client, log, id } = await organization();
    for (let index = 0; index < 5; index += 1)
      await record(id, index % 2 === 0 ? 'even.done' : 'odd.done', { text: '=1+1, "quoted"' });
    expect((await client.get<Event[]>(`${log}?action=odd.done`)).body.map((event) => event.sequence)).toEqual([4, 2]);
    const first = await client.get<Event[]>(`${log}?limit=2`);
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')![1]!;
    expect(
      [first.body, (await client.get<Event[]>(next)).body].map((page) => page.map((event) => event.sequence)),
    ).toEqual([
      [5, 4],
      [3, 2],
    ]);
    expect((await client.get<Event[]>(`${log}?from=2020-01-01&to=2020-01-02`)).body).toEqual([]);
    expect((await client.get<Event[]>(`${log}?from=2099-01-01`)).body).toEqual([]);
    expect((await client.get<Event[]>(`${log}?from=2020-01-01`)).body).toHaveLength(5);
    for (const query of ['limit=0', 'from=yesterday', 'actor_id=7', 'action=%00', 'cursor=nonsense', 'unknown=1']) {
      expect((await client.get(`${log}?${query}`)).status).toBe(400);
    }
    const csv = await client.get(log, { accept: 'text/csv' });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    expect(csv.text.split('\r\n')).toHaveLength(7);
    expect((await client.get<Event[]>(`${log}?limit=1`)).body[0]).toMatchObject({
      action: 'audit_log.exported',
      details: { events: 5, from_sequence: 1, to_sequence: 5, filter: {} },
    });
    const filter = { action: 'odd.done', actor_id: newId(), from: '2026-01-01T00:00:00.000Z' };
    await client.get(`${log}?${String(new URLSearchParams(filter))}`, { accept: 'text/csv' });
    const [empty] = (await client.get<Event[]>(`${log}?limit=1`)).body;
    expect(empty!.details).toEqual({ events: 0, filter });
  });

  it('lists everything done to one key, by anyone', async () => {
    const { client, log, id } = await organization();
    const make = async () => (await client.post<{ id: string }>(`/orgs/${id}/api-keys`, { name: 'ERP' })).body.id;
    const [key] = [await make(), await make()];
    await client.patch(`/orgs/${id}/api-keys/${key}`, { name: 'BI' });
    await client.delete(`/orgs/${id}/api-keys/${key}`);
    const of = async (targetId: string) =>
      (await client.get<Event[]>(`${log}?target_id=${targetId}`)).body.map(({ action }) => action);
    expect(await of(key)).toEqual(['api_key.revoked', 'api_key.changed', 'api_key.created']);
    expect(await of(key.toUpperCase())).toHaveLength(3);
    expect(await of(newId())).toEqual([]);
  });

  it('follows the Accept header, and records an export only for a format it sends', async () => {
    const { id, client, log } = await organization();
    await record(id, 'thing.done');
    for (const accept of ['text/csv;q=0, */*', 'application/json, text/csv;q=0.5'])
      expect((await client.get(log, { accept })).body).toMatchObject([{ action: 'thing.done' }]);
    expect((await client.get(log, { accept: 'text/*' })).headers.get('content-type')).toContain('text/csv');
    expect((await client.get(log, { accept: 'image/png' })).body).toMatchObject({
      status: 406,
      code: 'not_acceptable',
    });
  });

  it('of the platform is read, verified and exported by operators: events of no organization', async () => {
    const { id: userId, email } = await createUser(service.database, { isOperator: true });
    const operator = new AppClient(service.url, await createSession(service.database, userId));
    const log = '/admin/audit-log';
    await operator.put('/admin/flags/disable_public_api', { enabled: true, reason: 'maintenance' });
    await operator.put('/admin/flags/disable_public_api', { enabled: false, reason: 'done' });
    const [off, on] = (await operator.get<Event[]>(`${log}?action=flag.changed&limit=2`)).body;
    for (const event of [off!, on!])
      expect(event).toMatchObject({ actor: { kind: 'user', name: email }, target: { id: 'disable_public_api' } });
    expect(on!.details).toMatchObject({ reason: 'maintenance' });
    expect(off!.sequence).toBeGreaterThan(on!.sequence);

    const csv = await operator.get(log, { accept: 'text/csv' });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    const [exported] = (await operator.get<Event[]>(`${log}?limit=1`)).body;
    expect(exported).toMatchObject({ action: 'audit_log.exported', target: { kind: 'platform' } });
    expect((await operator.get(`${log}/verification`)).body).toMatchObject({
      intact: true,
      events: exported!.sequence,
      last_hash: exported!.hash,
    });

    const { client } = await organization();
    for (const path of [log, `${log}/verification`])
      expect(await client.get(path)).toMatchObject({ status: 403, body: { code: 'operator_required' } });
  });

  it('chains concurrent events of an organization in order', async () => {
    const { id, client, log } = await organization();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        record(id, 'many.done', { index, nested: { b: 1, a: [1.5, null, 'ü'] } }),
      ),
    );
    expect(await verifyAuditChain(service.database, id)).toMatchObject({ intact: true, events: 40 });
    expect((await client.get(`${log}/verification`)).body).toMatchObject({ intact: true, events: 40 });
  });

  it('is read once for concurrent verifications, and again afterwards', async () => {
    const { id } = await organization();
    await record(id, 'one.done');
    const audit = service.app.get(AuditService);
    const verify = () => asTenant({ organizationId: id, workspaceId: null }, () => audit.verify(id));
    const [first, second] = [verify(), verify()];
    expect(second).toBe(first);
    expect(await first).toMatchObject({ intact: true, events: 1 });
    await record(id, 'two.done');
    expect(await verify()).toMatchObject({ intact: true, events: 2 });
  });

  it('cannot be changed, emptied or truncated through the database', async () => {
    const { id } = await organization();
    await record(id, 'one.done');
    for (const sql of [
      `UPDATE audit_events SET actor_name = 'x'`,
      'DELETE FROM audit_events',
      'TRUNCATE audit_events',
    ]) {
      await expect(service.database.execute(sql)).rejects.toThrow('append-only');
    }
  });

  it.each([
    [
      'changed',
      `UPDATE audit_events SET actor_name = 'nobody' WHERE organization_id = $1 AND sequence = 2`,
      2,
      'the event was changed',
    ],
    [
      'changed in its details',
      `UPDATE audit_events SET details = '{"n": 9}' WHERE organization_id = $1 AND sequence = 2`,
      2,
      'the event was changed',
    ],
    [
      'linked to another one',
      `UPDATE audit_events SET previous_hash = hash WHERE organization_id = $1 AND sequence = 2`,
      2,
      'the event is not linked to the one before it',
    ],
    [
      'written in place of the last one',
      `UPDATE audit_heads SET hash = sha256(hash) WHERE organization_id = $1`,
      3,
      'the last event is not the one that was written',
    ],
    [
      'appended without the record of its length',
      `UPDATE audit_heads SET sequence = 2, hash = (SELECT hash FROM audit_events WHERE organization_id = $1 AND sequence = 2)
       WHERE organization_id = $1`,
      3,
      'the last event is not the one that was written',
    ],
    ['removed', `DELETE FROM audit_events WHERE organization_id = $1 AND sequence = 2`, 2, 'an event is missing'],
    [
      'cut off at the end',
      `DELETE FROM audit_events WHERE organization_id = $1 AND sequence = 3`,
      3,
      'events are missing at the end',
    ],
  ])('shows where an event was %s', async (_what, sql, at, reason) => {
    const { id, client, log } = await organization();
    for (const n of [1, 2, 3]) await record(id, 'thing.done', { n });
    await tamper(sql, [id]);
    expect((await client.get(`${log}/verification`)).body).toMatchObject({ intact: false, broken_at: at, reason });
  });

  it('exposes the hash of each event, so that a separate copy reveals a truncated end', async () => {
    const { id, client, log } = await organization();
    for (const n of [1, 2, 3]) await record(id, 'thing.done', { n });
    const kept = (await client.get<Record<string, unknown>>(`${log}/verification`)).body;
    const { body: events } = await client.get<Event[]>(log);
    expect(kept).toMatchObject({ intact: true, events: 3, last_hash: events[0]!.hash });
    let before: Buffer = Buffer.alloc(32);
    for (const {
      sequence,
      id: eventId,
      occurred_at: at,
      actor,
      action,
      target,
      details,
      hash,
    } of events.toReversed()) {
      const said = [id, sequence, eventId, at, actor.kind, actor.id, actor.name, action, target.kind, target.id];
      const text = JSON.stringify([...said, details, actor.address]);
      before = createHash('sha256').update(before).update(text).digest();
      expect(hash).toBe(before.toString('hex'));
    }
    const cut = `WITH gone AS (DELETE FROM audit_events WHERE organization_id = $1 AND sequence = 3)
      UPDATE audit_heads SET sequence = 2, hash = e.hash FROM audit_events e
      WHERE e.organization_id = $1 AND e.sequence = 2 AND audit_heads.organization_id = $1`;
    await tamper(cut, [id]);
    await record(id, 'thing.done', { n: 3 });
    const now = (await client.get<Record<string, unknown>>(`${log}/verification`)).body;
    expect(now).toMatchObject({ intact: true, events: 3 });
    expect(now['last_hash']).not.toBe(kept['last_hash']);
  });

  it('is rolled back with the change that it records', async () => {
    const { id } = await organization();
    const failing = service.database.transaction(async (tx) => {
      await recordAudit(tx, {
        organizationId: id,
        actor: { kind: 'system', id: null, name: 'test', address: null },
        action: 'flag.changed',
        target: { kind: 'test', id: '1' },
        now: new Date(),
      });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    await record(id, 'one.done');
    expect(await verifyAuditChain(service.database, id)).toMatchObject({ intact: true, events: 1 });
  });
});
