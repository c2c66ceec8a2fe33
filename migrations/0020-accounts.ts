import { Migration } from '@mikro-orm/migrations';

/** Invitations, back-off of sign-ins, and the audit log, which the database itself keeps from being changed. */
class Accounts extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE invitations (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        email text NOT NULL,
        role text NOT NULL,
        token_hash bytea NOT NULL,
        invited_by uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        accepted_at timestamptz(3),
        revoked_at timestamptz(3),
        CONSTRAINT invitations_pkey PRIMARY KEY (id),
        CONSTRAINT invitations_token UNIQUE (token_hash),
        CONSTRAINT invitations_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX invitations_organization ON invitations (organization_id, id)`);
    this.addSql(`
      CREATE TABLE sign_in_attempts (
        subject bytea NOT NULL,
        failures int NOT NULL,
        last_at timestamptz(3) NOT NULL,
        blocked_until timestamptz(3),
        CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (subject)
      )`);
    this.addSql(`
      CREATE TABLE audit_events (
        organization_id uuid NOT NULL,
        sequence int NOT NULL,
        id uuid NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        actor_kind text NOT NULL,
        actor_id uuid,
        actor_name text NOT NULL,
        action text NOT NULL,
        target_kind text NOT NULL,
        target_id text NOT NULL,
        details jsonb NOT NULL,
        address text,
        previous_hash bytea NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT audit_events_pkey PRIMARY KEY (organization_id, sequence)
      )`);
    this.addSql(`CREATE INDEX audit_events_action ON audit_events (organization_id, action, sequence)`);
    this.addSql(`
      CREATE TABLE audit_heads (
        organization_id uuid NOT NULL,
        sequence int NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT audit_heads_pkey PRIMARY KEY (organization_id)
      )`);
    this.addSql(`
      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$`);
    this.addSql(`
      CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }
}

export const accounts = { name: '0020-accounts', class: Accounts };
