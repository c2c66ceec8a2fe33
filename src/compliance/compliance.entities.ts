import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference } from '../access/organizations/organizations.entities.js';
import { instant, text } from '../platform/database/columns.js';

/** A phase of the SOC 2 programme. The migration creates the five rows; the status of a phase follows from its dates. */
export const PhaseEntity = defineEntity({
  name: 'CompliancePhase',
  tableName: 'compliance_phases',
  properties: {
    phase: text().primary(),
    plannedOn: p.date().nullable(),
    startedOn: p.date().nullable(),
    completedOn: p.date().nullable(),
    /** Whether the auditor's report is available; only for types I and II. */
    reportAvailable: p.boolean().default(false),
  },
});

/** The result of a check at one point in time. */
export const EvidenceEntity = defineEntity({
  name: 'ComplianceEvidence',
  tableName: 'compliance_evidence',
  properties: {
    id: p.uuid().primary(),
    checkName: text(),
    status: text(),
    detail: text(),
    checkedAt: instant(),
    durationMs: p.integer(),
    trigger: text(),
  },
  indexes: [{ name: 'compliance_evidence_check', properties: ['checkName', 'id'] }],
});

/** When the checks are due next, and who is running them now: a single row. */
export const RoundEntity = defineEntity({
  name: 'ComplianceRound',
  tableName: 'compliance_rounds',
  properties: {
    name: text().primary(),
    dueAt: instant(),
    holder: p.uuid().nullable(),
    leasedUntil: instant().nullable(),
    finishedAt: instant().nullable(),
  },
});

/** A minute in which some process of the API was ready. */
export const HeartbeatEntity = defineEntity({
  name: 'ComplianceHeartbeat',
  tableName: 'compliance_heartbeats',
  properties: { slot: instant().primary() },
});

/** A record of what people did outside the service: append-only. */
export const AttestationEntity = defineEntity({
  name: 'ComplianceAttestation',
  tableName: 'compliance_attestations',
  properties: {
    id: p.uuid().primary(),
    kind: text(),
    performedAt: instant(),
    performedBy: text(),
    outcome: text(),
    /** What it is about, if its kind has several: the version of a release. */
    reference: text().nullable(),
    note: text().nullable(),
    /** SHA-256 of the result: the dump, the log, the minutes. */
    artefactSha256: text().nullable(),
    recordedAt: instant(),
    recordedBy: text(),
  },
  indexes: [
    {
      name: 'compliance_attestations_once',
      expression: `CREATE UNIQUE INDEX compliance_attestations_once ON compliance_attestations (kind, performed_at, coalesce(reference, ''))`,
    },
  ],
});

/** An organization's acceptance of a version of an agreement. */
export const AgreementAcceptanceEntity = defineEntity({
  name: 'AgreementAcceptance',
  tableName: 'agreement_acceptances',
  properties: {
    organization: organizationReference().primary(),
    agreement: text().primary(),
    version: text().primary(),
    acceptedAt: instant(),
    /** Who accepted: preserved regardless of what happens to the account. */
    userId: p.uuid(),
    email: text(),
  },
});

export const COMPLIANCE_ENTITIES = [
  PhaseEntity,
  EvidenceEntity,
  RoundEntity,
  HeartbeatEntity,
  AttestationEntity,
  AgreementAcceptanceEntity,
];
