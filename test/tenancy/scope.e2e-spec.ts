import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { recordAudit, verifyAuditChain } from '../../src/access/index.js';
import { Database, type Transaction } from '../../src/platform/database/database.js';
import { asSystem, asTenant, runInScope, type Scope } from '../../src/platform/database/scope.js';
import { newId } from '../../src/platform/ids.js';
import { createTenant, createWorkspace } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

const ORGANIZATIONS = 'SELECT id FROM organizations ORDER BY id';
const WORKSPACES = 'SELECT id FROM workspaces ORDER BY id';

describe('the tenant scope', () => {
  let service: TestService;
  let database: Database;
  let own: { organizationId: string; workspaceId: string };
  let other: { organizationId: string; workspaceId: string };
  let secondWorkspace: string;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
    own = await createTenant(service);
    other = await createTenant(service);
    secondWorkspace = (await createWorkspace(service.database, own.organizationId)).id;
    // one connection: whatever a scope left behind on it, the next would find
    const pool = new pg.Pool({ connectionString: service.serviceUrl, max: 1 });
    pool.on('error', () => undefined);
    database = new Database(pool);
  });
  afterAll(async () => {
    await database.pool.end();
    await service.close();
  });

  const ids = async (sql: string): Promise<string[]> =>
    (await database.query<{ id: string }>(sql)).map((row) => row.id).sort();
  const inOrganization = <T>(organizationId: string, work: () => T): T =>
    asTenant({ organizationId, workspaceId: null }, work);
  const addWorkspace = (db: { execute: Database['execute'] }, organizationId: string): Promise<number> =>
    db.execute(`INSERT INTO workspaces (id, organization_id, name, created_at) VALUES ($1, $2, 'new', now())`, [
      newId(),
      organizationId,
    ]);

  it('must be named', async () => {
    await expect(database.query('SELECT 1')).rejects.toThrow('outside any scope');
    await expect(database.transaction(() => Promise.resolve())).rejects.toThrow('outside any scope');
  });

  it('shows an organization its own rows and no others', async () => {
    expect(await inOrganization(own.organizationId, () => ids(ORGANIZATIONS))).toEqual([own.organizationId]);
    expect(await inOrganization(own.organizationId, () => ids(WORKSPACES))).toEqual(
      [own.workspaceId, secondWorkspace].sort(),
    );
    expect(await inOrganization(other.organizationId, () => ids(WORKSPACES))).toEqual([other.workspaceId]);
  });

  it('shows a workspace nothing of another', async () => {
    const tenant = { organizationId: own.organizationId, workspaceId: secondWorkspace };
    expect(await asTenant(tenant, () => ids(WORKSPACES))).toEqual([secondWorkspace]);
    const crossed = { organizationId: own.organizationId, workspaceId: other.workspaceId };
    expect(await asTenant(crossed, () => ids(WORKSPACES))).toEqual([]);
  });

  it('shows no tenant to the platform or a bare connection', async () => {
    expect(await runInScope({ kind: 'platform' }, () => ids(ORGANIZATIONS))).toEqual([]);
    const client = new pg.Client({ connectionString: service.serviceUrl });
    await client.connect();
    expect((await client.query(ORGANIZATIONS)).rows).toEqual([]);
    expect((await client.query(WORKSPACES)).rows).toEqual([]);
    await client.end();
  });

  it('shows system work every tenant', async () => {
    expect(await asSystem('test', () => ids(ORGANIZATIONS))).toEqual([own.organizationId, other.organizationId].sort());
  });

  it('refuses writes for another tenant', async () => {
    await inOrganization(own.organizationId, async () => {
      await expect(addWorkspace(database, other.organizationId)).rejects.toThrow('row-level security');
      const moved = 'UPDATE workspaces SET organization_id = $1 WHERE id = $2';
      await expect(database.execute(moved, [other.organizationId, own.workspaceId])).rejects.toThrow(
        'row-level security',
      );
      expect(await database.execute(`UPDATE workspaces SET name = 'taken' WHERE id = $1`, [other.workspaceId])).toBe(0);
      expect(await database.execute('DELETE FROM organizations WHERE id = $1', [other.organizationId])).toBe(0);
    });
  });

  it('can be narrowed by a tenant to one of its workspaces only', () => {
    const scopes: Scope[] = [
      { kind: 'system', reason: 'test' },
      { kind: 'platform' },
      { kind: 'tenant', organizationId: other.organizationId, workspaceId: null },
    ];
    inOrganization(own.organizationId, () => {
      for (const scope of scopes) expect(() => runInScope(scope, () => 0)).toThrow('work for a tenant');
      expect(asTenant(own, () => 'narrowed')).toBe('narrowed');
    });
    asTenant(own, () => {
      expect(() => inOrganization(own.organizationId, () => 0)).toThrow('work for a tenant');
      expect(() => asTenant({ ...own, workspaceId: secondWorkspace }, () => 0)).toThrow('work for a tenant');
    });
  });

  it('is restored on a connection after errors, rollbacks and other tenants', async () => {
    const seen = (): Promise<string[]> => ids(ORGANIZATIONS);
    await inOrganization(own.organizationId, seen);
    await inOrganization(other.organizationId, async () => {
      const failing = database.transaction(async (tx) => {
        await tx.query('SELECT 1');
        throw new Error('undone');
      });
      await expect(failing).rejects.toThrow('undone');
      expect(await seen()).toEqual([other.organizationId]);
      await expect(database.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
      expect(await seen()).toEqual([other.organizationId]);
    });
    expect(await inOrganization(own.organizationId, seen)).toEqual([own.organizationId]);
    const turns = Array.from({ length: 40 }, (_, turn) => [own, other][turn % 2]!.organizationId);
    const answers = await Promise.all(turns.map((organizationId) => inOrganization(organizationId, seen)));
    expect(answers).toEqual(turns.map((organizationId) => [organizationId]));
  });

  it('of a system transaction can be narrowed to a tenant until the transaction ends', async () => {
    const look = async (tx: Transaction): Promise<number> => (await tx.query(ORGANIZATIONS)).length;
    const narrowed = (end: 'commit' | 'rollback'): Promise<number[]> =>
      database.transaction(async (tx) => {
        const before = await look(tx);
        await tx.narrowTo({ organizationId: own.organizationId, workspaceId: null });
        const after = await look(tx);
        if (end === 'rollback') throw Object.assign(new Error('undone'), { counts: [before, after] });
        return [before, after];
      });
    await asSystem('test', async () => {
      expect(await narrowed('commit')).toEqual([2, 1]);
      expect(await ids(ORGANIZATIONS)).toHaveLength(2);
      await expect(narrowed('rollback')).rejects.toMatchObject({ counts: [2, 1] });
      expect(await ids(ORGANIZATIONS)).toHaveLength(2);
    });
    await inOrganization(own.organizationId, () =>
      expect(
        database.transaction((tx) => tx.narrowTo({ organizationId: other.organizationId, workspaceId: null })),
      ).rejects.toThrow('within its scope'),
    );
  });

  it('cannot change, remove or empty the audit log, not even for the system', async () => {
    const entry = {
      organizationId: own.organizationId,
      actor: { kind: 'system', id: null, name: 'test', address: null } as const,
      action: 'flag.changed' as const,
      target: { kind: 'thing', id: '1' },
      now: new Date(),
    };
    await inOrganization(own.organizationId, async () => {
      for (const _ of [1, 2, 3]) await database.transaction((tx) => recordAudit(tx, entry));
    });
    for (const sql of [
      `UPDATE audit_events SET actor_name = 'nobody'`,
      'DELETE FROM audit_events',
      'TRUNCATE audit_events',
      'ALTER TABLE audit_events DISABLE TRIGGER ALL',
      'DROP TABLE audit_events',
      'DELETE FROM audit_heads',
    ]) {
      const refused = asSystem('test', () => database.execute(sql));
      await expect(refused).rejects.toMatchObject({ code: '42501' });
    }
    const report = await inOrganization(own.organizationId, () => verifyAuditChain(database, own.organizationId));
    expect(report).toMatchObject({ intact: true, events: 3 });
  });
});
