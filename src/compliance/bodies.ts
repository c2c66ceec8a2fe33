import { CHECK_NAMES, type CheckName, SOC2 } from '../../config/soc2.js';
import type { AgreementState } from './agreements/agreement.js';
import type {
  AgreementBody,
  CheckBody,
  ChecklistBody,
  ControlBody,
  ControlEvidenceBody,
  CoverageBody,
  DashboardBody,
  ProgrammeBody,
  ReadinessBody,
} from './dto/replies.js';
import { type ControlStatus, freshUntil, stateOfCheck } from './evidence/coverage.js';
import { currentPhase, type Phase, statusOf } from './programme/phase.js';
import type { Programme } from './programme/programme.service.js';
import type { Readiness } from './readiness/readiness.js';

function programmeBody(phases: readonly Phase[]): ProgrammeBody {
  const reported = (name: Phase['phase']): boolean => phases.some((one) => one.phase === name && one.report_available);
  return {
    current_phase: currentPhase(phases),
    phases: phases.map((one) => ({
      phase: one.phase,
      status: statusOf(one),
      planned_on: one.planned_on,
      started_on: one.started_on,
      completed_on: one.completed_on,
    })),
    type_1_report_available: reported('type_1'),
    type_2_report_available: reported('type_2'),
  };
}

export function dashboardBody(programme: Programme): DashboardBody {
  return {
    ...programmeBody(programme.phases),
    evidence: coverageBody(programme),
    checks: CHECK_NAMES.map((name) => checkBody(name, programme)),
    next_round_at: programme.round.dueAt,
  };
}

function coverageBody({ coverage, round }: Programme): CoverageBody {
  const { percent, ...counts } = coverage;
  return { coverage_percent: percent, ...counts, last_round_at: round.finishedAt };
}

function checkBody(name: CheckName, { latest, at }: Programme): CheckBody {
  const { title, fresh_hours } = SOC2.checks[name];
  const evidence = latest.get(name);
  return {
    check: name,
    title,
    state: stateOfCheck(evidence, fresh_hours, at),
    status: evidence?.status ?? null,
    detail: evidence?.detail ?? null,
    checked_at: evidence?.checked_at ?? null,
    fresh_until: evidence ? freshUntil(evidence, fresh_hours) : null,
  };
}

function controlBody({ control, state, evidenceAt }: ControlStatus): ControlBody {
  return { id: control.id, criteria: control.criteria, title: control.title, state, evidence_at: evidenceAt };
}

export function controlEvidenceBodies(programme: Programme): ControlEvidenceBody[] {
  return programme.controls.map((status) => {
    const { control } = status;
    return {
      ...controlBody(status),
      statement: control.statement,
      automated: control.automated,
      instead: control.automated ? null : control.instead,
      checks: control.automated ? control.checks.map((name) => checkBody(name, programme)) : [],
    };
  });
}

export function agreementBody({ acceptance, ...state }: AgreementState): AgreementBody {
  return {
    ...state,
    acceptance: acceptance && {
      version: acceptance.version,
      accepted_at: acceptance.accepted_at,
      user_id: acceptance.user_id,
      email: acceptance.email,
    },
  };
}

export function readinessBody(readiness: Readiness): ReadinessBody {
  const { organization, programme } = readiness;
  return {
    organization: { id: organization.id, name: organization.name },
    generated_at: programme.at,
    programme: programmeBody(programme.phases),
    evidence: coverageBody(programme),
    checklist: checklistBody(readiness),
    controls: programme.controls.map(controlBody),
  };
}

function checklistBody({ organization, agreements }: Readiness): ChecklistBody {
  const agreed = (name: AgreementState['agreement']) => {
    const { accepted, version, acceptance } = agreements.find((state) => state.agreement === name)!;
    return {
      complete: accepted,
      version,
      accepted_version: acceptance?.version ?? null,
      accepted_at: acceptance?.accepted_at ?? null,
      accepted_by: acceptance?.email ?? null,
    };
  };
  return {
    data_processing_agreement: agreed('data_processing_agreement'),
    privacy_acceptance: agreed('privacy_notice'),
    audit_activity: {
      complete: organization.events > 0,
      events_last_30_days: organization.events,
      last_event_at: organization.lastEventAt,
    },
    data_region: { complete: organization.dataRegion !== null, region: organization.dataRegion },
    retention: { complete: organization.retentionMonths !== null, months: organization.retentionMonths },
  };
}
