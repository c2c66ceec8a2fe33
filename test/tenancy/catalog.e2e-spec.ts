import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/platform/database/database.js';
import { asSystem } from '../../src/platform/database/scope.js';
import { startTestService, type TestService } from '../support/test-service.js';

/** Tables without policies, and why nobody's rows can be seen through them by another tenant. */
const EXEMPT: Readonly<Record<string, string>> = {
  users: 'a person may belong to several organizations; read by email or id, and by way of memberships',
  sessions: 'belong to a person; read by token hash or user',
  recovery_codes: 'belong to a person; read by user',
  password_resets: 'belong to a person; read by token hash or user',
  email_changes: 'belong to a person; read by token hash or user',
  mail_messages: 'sealed; read by the outbox only',
  sign_in_attempts: 'counted before anybody is known',
  platform_flags: 'of the platform',
  community_topics: 'the forum is common to all signed-in users',
  community_posts: 'the forum is common to all signed-in users',
  community_reports: 'the forum is common to all signed-in users; read by operators',
  community_blocks: 'the forum is common to all signed-in users; read by operators, and by whom they are about',
  releases: 'public',
  notification_watermarks: 'belong to a person; read by user',
  notification_reads: 'belong to a person; read by user',
  compliance_phases: 'of the platform',
  compliance_evidence: 'of the platform; its details are read by operators only',
  compliance_rounds: 'of the platform',
  compliance_heartbeats: 'of the platform',
  compliance_attestations: 'of the platform; read by operators only',
  secret_checks: 'of the installation',
  schema_migrations: 'of the installation',
};

describe('every table', () => {
  let service: TestService;
  let tables: { name: string; secured: boolean; policies: string[]; columns: string[] }[];
  beforeAll(async () => {
    service = await startTestService();
    tables = await service.database.query(
      `SELECT relname AS name, relrowsecurity AS secured,
              ARRAY(SELECT polname::text FROM pg_policy WHERE polrelid = c.oid) AS policies,
              ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns
       FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
    );
  });
  afterAll(() => service.close());

  it('has a policy, or is declared to need none', () => {
    const open = tables.filter((table) => !table.secured || table.policies.length === 0).map((table) => table.name);
    expect(open.sort()).toEqual(Object.keys(EXEMPT).sort());
  });

  it('with an organization in its rows has a policy, whatever is declared', () => {
    const open = tables.filter((table) => table.columns.includes('organization_id') && !table.secured);
    expect(open).toEqual([]);
  });

  it('with a workspace in every row checks the workspace too', async () => {
    const expressions = await service.database.query<{ name: string; condition: string }>(
      `SELECT c.relname AS name, pg_get_expr(polqual, polrelid) AS condition FROM pg_policy JOIN pg_class c ON c.oid = polrelid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND a.attnotnull`,
    );
    expect(expressions.length).toBeGreaterThan(8);
    expect(expressions.filter(({ condition }) => !condition.includes('app.workspace_id'))).toEqual([]);
  });

  it('belongs to another role than the service’s, which has no rights that bypass the policies', async () => {
    const serviced = asSystem('test', () =>
      service.app.get(Database).query(
        `SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication AS strong,
                (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned,
                (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships
         FROM pg_roles r WHERE rolname = current_user`,
      ),
    );
    expect(await serviced).toEqual([{ strong: false, owned: 0, memberships: 0 }]);
  });
});
