import { describe, it } from '@jest/globals';
import pg from 'pg';
import type { CheckContext } from '../../src/compliance/checks/check.js';
import { INSTALLATION, type Installation } from '../../src/compliance/evidence/installation.js';
import { Database } from '../../src/platform/database/database.js';
import { asSystem } from '../../src/platform/database/scope.js';
import { DAY_MS } from '../../src/platform/durations.js';
import { newId } from '../../src/platform/ids.js';
import { CheckedInstallation } from './checked-installation.js';

describe('a check of the audit log and the database', () => {
  const given = CheckedInstallation.forTests();

  it('audit_chain: finds a row changed by the owner of the tables, and reports its position', async () => {
    for (const target of ['a', 'b', 'c']) await given.note(target);
    await given.expectPass('audit_chain', /all are intact/);
    const tamper = async (change: string, ...values: unknown[]) => {
      const owner = new pg.Client({ connectionString: given.service.databaseUrl });
      await owner.connect();
      await owner.query('SET session_replication_role = replica');
      await owner.query(change, values);
      await owner.end();
    };
    await tamper(
      `UPDATE audit_events SET target_id = 'x' WHERE organization_id = $1 AND sequence = 2`,
      given.tenant.organizationId,
    );
    await given.expectFailure(
      'audit_chain',
      `broken: organization ${given.tenant.organizationId} at event 2 \\(the event was changed\\)`,
    );
    await tamper(
      `UPDATE audit_events SET target_id = 'b' WHERE organization_id = $1 AND sequence = 2`,
      given.tenant.organizationId,
    );
    await given.expectPass('audit_chain');
    await tamper('DELETE FROM audit_events WHERE organization_id = $1 AND sequence = 3', given.tenant.organizationId);
    await given.expectFailure('audit_chain', /at event 3 \(events are missing at the end\)/);
    await tamper('DELETE FROM audit_heads WHERE organization_id = $1', given.tenant.organizationId);
    await given.expectFailure('audit_chain', /at event 2 \(the last event is not the one that was written\)/);
    await tamper('DELETE FROM audit_events WHERE organization_id = $1', given.tenant.organizationId);
  });

  it('audit_chain: is not confused by events written while it runs', async () => {
    await given.note('x');
    const asked = given.service.app.get(Database);
    const db: CheckContext['db'] = {
      execute: (text, parameters) => asked.execute(text, parameters),
      query: async (text, parameters) => {
        const rows = await asked.query(text, parameters);
        if (typeof text === 'string' && text.includes('FROM audit_events')) await given.note('x'); // after each batch of the chain
        return rows as never;
      },
    };
    await given.expectPass('audit_chain', /all are intact/, { db });
  });

  it('audit_activity: finds a log that has stopped growing', async () => {
    await given.attest('backup', new Date()); // writes into the platform's chain
    await given.expectPass('audit_activity', /1 chain grew within 24 hours|chains grew/);
    const idle = newId();
    given.undoLater(`DELETE FROM audit_heads WHERE organization_id = '${idle}'`);
    await given.sql(
      `WITH head AS (INSERT INTO audit_heads (organization_id, sequence, hash) VALUES ($1, 1, ''))
       INSERT INTO audit_events (organization_id, sequence, id, occurred_at, actor_kind, actor_name, action, target_kind, target_id,
         details, previous_hash, hash) VALUES ($1, 1, $1, now() - interval '1 year', 'system', '', '', '', '', '{}', '', '')`,
      idle,
    );
    await given.expectPass('audit_activity'); // of any organization
    await given.expectFailure('audit_activity', /^The last event was written at/, {
      now: new Date(Date.now() + 2 * DAY_MS),
    });
  });

  it('row_level_security: finds tables without policies, and a role that owns tables', async () => {
    await given.expectPass('row_level_security', /which is bound by policies and owns 0 tables/);
    given.undoLater('DROP TABLE unguarded');
    await given.sql('CREATE TABLE unguarded (organization_id uuid)');
    await given.expectFailure('row_level_security', /; none on unguarded;/);
    await given.expectFailure('row_level_security', /which bypasses policies and owns \d\d tables/, {
      db: given.service.database,
    });
    given.undoLater('ALTER TABLE runs ENABLE ROW LEVEL SECURITY');
    await given.sql('ALTER TABLE runs DISABLE ROW LEVEL SECURITY');
    await given.expectFailure('row_level_security', /; none on runs, unguarded;/);
  });

  it('row_level_security: finds policies that admit others, views that bypass them, and roles exempt from them', async () => {
    await given.expectPass('row_level_security', /of each of \d+ as another organization, the database returned none;/);
    const [declared] = await given.sql(
      `SELECT pg_get_expr(polqual, polrelid) AS condition FROM pg_policy WHERE polrelid = 'workspaces'::regclass`,
    );
    given.undoLater(`ALTER POLICY tenant ON workspaces USING (${String(declared!.condition)})`);
    await given.sql(`ALTER POLICY tenant ON workspaces USING (true OR ${String(declared!.condition)})`);
    await given.expectFailure('row_level_security', /the database returned those of workspaces;/);

    given.undoLater('DROP POLICY everybody ON runs');
    await given.sql('CREATE POLICY everybody ON runs FOR SELECT USING (true)');
    given.undoLater('DROP VIEW every_key');
    await given.sql('CREATE VIEW every_key AS SELECT id, organization_id FROM api_keys');
    await given.expectFailure('row_level_security', /; none on every_key, runs;/);
  });

  it('row_level_security: finds a policy that is not the only one, or not for every role, or checks other rows than it shows', async () => {
    given.undoLater('DROP TABLE by_hand');
    await given.sql('CREATE TABLE by_hand (organization_id uuid)');
    await given.sql('GRANT SELECT ON by_hand TO PUBLIC');
    await given.sql('ALTER TABLE by_hand ENABLE ROW LEVEL SECURITY');
    const own = `USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)`;
    const withPolicies = async (...policies: string[]): Promise<void> => {
      await given.sql('DROP POLICY IF EXISTS a ON by_hand');
      for (const policy of policies) await given.sql(policy);
    };
    await withPolicies(`CREATE POLICY a ON by_hand ${own}`);
    await given.expectPass('row_level_security');
    for (const policy of [`TO CURRENT_USER ${own}`, `${own} WITH CHECK (true)`]) {
      await withPolicies(`CREATE POLICY a ON by_hand ${policy}`);
      await given.expectFailure('row_level_security', /; none on by_hand;/);
    }
    await withPolicies(`CREATE POLICY a ON by_hand ${own}`, `CREATE POLICY b ON by_hand ${own}`);
    await given.expectFailure('row_level_security', /; none on by_hand;/);
  });

  it('row_level_security: finds a role that may act as the owner of the tables', async () => {
    const asked = given.service.app.get(Database);
    const [role] = await asSystem('test', () => asked.query<{ name: string }>('SELECT current_user AS name'));
    const owner = `${role!.name}_owner`;
    given.undoLater(`ALTER TABLE runs OWNER TO CURRENT_USER; DROP ROLE "${owner}"`);
    await given.sql(
      `CREATE ROLE "${owner}"; ALTER TABLE runs OWNER TO "${owner}"; GRANT "${owner}" TO "${role!.name}"`,
    );
    await given.expectFailure('row_level_security', /which is bound by policies and owns 1 table\./);
  });

  it('migrations_applied: finds a missing migration and an undeclared column', async () => {
    await given.expectPass('migrations_applied', /the schema matches what the release declares/);
    given.undoLater('ALTER TABLE runs DROP COLUMN by_hand');
    await given.sql('ALTER TABLE runs ADD COLUMN by_hand int');
    await given.expectFailure('migrations_applied', /the schema differs from what they declare: .*by_hand/);
    const { schema } = given.service.app.get<Installation>(INSTALLATION);
    const further = { ...schema.migrations[0]!, name: '9999-further' };
    const declared = { ...schema, migrations: [...schema.migrations, further] };
    await given.expectFailure('migrations_applied', /^Not applied: 9999-further/, { schema: declared });
  });
});
