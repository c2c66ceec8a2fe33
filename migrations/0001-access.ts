import { Migration } from '@mikro-orm/migrations';

const ORGANIZATION = `organization_id uuid NOT NULL`;
const organizationKey = (table: string, onUpdate = ''): string =>
  `CONSTRAINT ${table}_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id)${onUpdate} ON DELETE CASCADE`;

/** Organizations, workspaces, users, memberships, sessions, API keys, flags, idempotency. */
class Access extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE organizations (
        id uuid NOT NULL,
        name text NOT NULL,
        plan text NOT NULL,
        suspended_at timestamptz(3),
        suspension_reason text,
        ip_allowlist text[] NOT NULL DEFAULT '{}',
        data_region text,
        retention_months int,
        delete_after timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT organizations_pkey PRIMARY KEY (id)
      )`);
    this.addSql(`
      CREATE TABLE workspaces (
        id uuid NOT NULL,
        ${ORGANIZATION},
        name text NOT NULL,
        time_zone text NOT NULL DEFAULT 'UTC',
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT workspaces_pkey PRIMARY KEY (id),
        ${organizationKey('workspaces')}
      )`);
    this.addSql(`CREATE INDEX workspaces_organization ON workspaces (organization_id, id)`);
    this.addSql(`
      CREATE TABLE users (
        id uuid NOT NULL,
        email text NOT NULL,
        name text NOT NULL,
        password_hash text NOT NULL,
        is_operator boolean NOT NULL DEFAULT false,
        totp_secret bytea,
        totp_confirmed_at timestamptz(3),
        password_changed_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT users_pkey PRIMARY KEY (id),
        CONSTRAINT users_email UNIQUE (email)
      )`);
    this.addSql(`
      CREATE TABLE memberships (
        ${ORGANIZATION},
        user_id uuid NOT NULL,
        role text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        reviewed_at timestamptz(3),
        CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id),
        ${organizationKey('memberships', ' ON UPDATE CASCADE')},
        CONSTRAINT memberships_user_id_foreign FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX memberships_user ON memberships (user_id)`);
    this.addSql(`
      CREATE TABLE api_keys (
        id uuid NOT NULL,
        ${ORGANIZATION},
        workspace_id uuid,
        name text NOT NULL,
        hash bytea NOT NULL,
        prefix text NOT NULL,
        last_four text NOT NULL,
        ip_allowlist text[] NOT NULL DEFAULT '{}',
        locked_at timestamptz(3),
        revoked_at timestamptz(3),
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        created_by uuid,
        successor_id uuid,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT api_keys_pkey PRIMARY KEY (id),
        CONSTRAINT api_keys_hash UNIQUE (hash),
        ${organizationKey('api_keys')},
        CONSTRAINT api_keys_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
        CONSTRAINT api_keys_created_by_foreign FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
      )`);
    this.addSql(`CREATE INDEX api_keys_organization ON api_keys (organization_id, id)`);
    this.addSql(`
      CREATE TABLE platform_flags (
        name text NOT NULL,
        enabled boolean NOT NULL,
        reason text,
        changed_by text NOT NULL,
        changed_at timestamptz(3) NOT NULL,
        CONSTRAINT platform_flags_pkey PRIMARY KEY (name)
      )`);
    this.addSql(`
      CREATE TABLE sessions (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        last_seen_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        revoked_at timestamptz(3),
        address text,
        user_agent text,
        CONSTRAINT sessions_pkey PRIMARY KEY (id),
        CONSTRAINT sessions_token UNIQUE (token_hash),
        CONSTRAINT sessions_user_id_foreign FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX sessions_user ON sessions (user_id, id)`);
    this.addSql(`
      CREATE TABLE idempotency_keys (
        api_key_id uuid NOT NULL,
        key text NOT NULL,
        ${ORGANIZATION},
        request_hash bytea NOT NULL,
        status int,
        headers json,
        body json,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (api_key_id, key),
        ${organizationKey('idempotency_keys')},
        CONSTRAINT idempotency_keys_api_key_id_foreign FOREIGN KEY (api_key_id) REFERENCES api_keys (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at)`);
  }
}

export const access = { name: '0001-access', class: Access };
