import { Migration } from '@mikro-orm/migrations';
import { organizationPolicy } from './tenant-policies.js';

const PHASES = ['gap_assessment', 'documentation', 'type_1', 'monitoring', 'type_2'];

/** The SOC 2 programme, the evidence that checks collect, registers kept by people, and what organizations accepted. */
class Compliance extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE compliance_phases (
        phase text NOT NULL,
        planned_on date,
        started_on date,
        completed_on date,
        report_available boolean NOT NULL DEFAULT false,
        CONSTRAINT compliance_phases_pkey PRIMARY KEY (phase)
      )`);
    this.addSql(`INSERT INTO compliance_phases (phase) VALUES ${PHASES.map((phase) => `('${phase}')`).join(', ')}`);
    this.addSql(`
      CREATE TABLE compliance_evidence (
        id uuid NOT NULL,
        check_name text NOT NULL,
        status text NOT NULL,
        detail text NOT NULL,
        checked_at timestamptz(3) NOT NULL,
        duration_ms int NOT NULL,
        trigger text NOT NULL,
        CONSTRAINT compliance_evidence_pkey PRIMARY KEY (id)
      )`);
    this.addSql(`CREATE INDEX compliance_evidence_check ON compliance_evidence (check_name, id)`);
    this.addSql(`
      CREATE TABLE compliance_rounds (
        name text NOT NULL,
        due_at timestamptz(3) NOT NULL,
        holder uuid,
        leased_until timestamptz(3),
        finished_at timestamptz(3),
        CONSTRAINT compliance_rounds_pkey PRIMARY KEY (name)
      )`);
    this.addSql(`INSERT INTO compliance_rounds (name, due_at) VALUES ('checks', 'epoch')`);
    this.addSql(`
      CREATE TABLE compliance_heartbeats (
        slot timestamptz(3) NOT NULL,
        CONSTRAINT compliance_heartbeats_pkey PRIMARY KEY (slot)
      )`);
    this.addSql(`
      CREATE TABLE compliance_attestations (
        id uuid NOT NULL,
        kind text NOT NULL,
        performed_at timestamptz(3) NOT NULL,
        performed_by text NOT NULL,
        outcome text NOT NULL,
        reference text,
        note text,
        artefact_sha256 text,
        recorded_at timestamptz(3) NOT NULL,
        recorded_by text NOT NULL,
        CONSTRAINT compliance_attestations_pkey PRIMARY KEY (id)
      )`);
    this.addSql(
      `CREATE UNIQUE INDEX compliance_attestations_once ON compliance_attestations (kind, performed_at, coalesce(reference, ''))`,
    );
    this.addSql(`
      CREATE TABLE agreement_acceptances (
        organization_id uuid NOT NULL,
        agreement text NOT NULL,
        version text NOT NULL,
        accepted_at timestamptz(3) NOT NULL,
        user_id uuid NOT NULL,
        email text NOT NULL,
        CONSTRAINT agreement_acceptances_pkey PRIMARY KEY (organization_id, agreement, version),
        CONSTRAINT agreement_acceptances_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    for (const statement of organizationPolicy('agreement_acceptances')) this.addSql(statement);
  }
}

export const compliance = { name: '0050-compliance', class: Compliance };
