import { askedOf, CHECK_NAMES, type CheckName, SOC2 } from '../../config/soc2.js';
import { counted } from '../platform/counted.js';
import type { AgreementBody } from './dto/agreement.dto.js';
import type {
  CheckBody,
  ControlBody,
  ControlEvidenceBody,
  CoverageBody,
  ReadinessCheckBody,
} from './dto/controls.dto.js';
import type { DashboardBody, ProgrammeBody } from './dto/programme.dto.js';
import type { ChecklistBody, ChecklistItemBody, ReadinessBody } from './dto/readiness.dto.js';
import { type ControlStatus, freshUntil, stateOfCheck } from './evidence/coverage.js';
import type { Observed } from './evidence/evidence.queries.js';
import { minute } from './minute.js';
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
  const { round, at } = programme;
  return {
    ...programmeBody(programme.phases),
    evidence: coverageBody(programme),
    checks: CHECK_NAMES.map((name) => checkBody(name, programme)),
    next_round_at: round.dueAt > at ? round.dueAt : at,
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
    asks: askedOf(name, 'all'),
    state: stateOfCheck(evidence, fresh_hours, at),
    status: evidence?.status ?? null,
    detail: evidence?.detail ?? null,
    checked_at: evidence?.checked_at ?? null,
    fresh_until: evidence ? freshUntil(evidence, fresh_hours) : null,
  };
}

function readinessCheckBody(name: CheckName, { latest, at }: Programme): ReadinessCheckBody {
  const { title, about, fresh_hours } = SOC2.checks[name];
  const evidence = latest.get(name);
  return {
    check: name,
    title,
    asks: askedOf(name, 'one'),
    scope: about === 'organization' ? 'organization' : 'platform',
    state: stateOfCheck(evidence, fresh_hours, at),
    detail: evidence ? detailForCustomers(evidence) : null,
    checked_at: evidence?.checked_at ?? null,
  };
}

/** The result of a check, without anything about other organizations or about how to attack them. */
function detailForCustomers({ check, status, detail }: Observed): string | null {
  if (status === 'error') return 'The check could not run.';
  if (SOC2.checks[check].about !== 'installation') return detail;
  if (status !== 'failed') return null;
  return 'The check failed. Its findings concern the whole platform and are available to its operator only.';
}

export function controlBody({ control, state, evidenceAt }: ControlStatus): ControlBody {
  return {
    id: control.id,
    criteria: control.criteria,
    title: control.title,
    statement: control.statement,
    automated: control.automated,
    instead: control.automated ? null : control.instead,
    state,
    evidence_at: evidenceAt,
  };
}

export function controlEvidenceBodies(programme: Programme): ControlEvidenceBody[] {
  return programme.controls.map((status) => ({
    ...controlBody(status),
    checks: checksOf(status).map((name) => checkBody(name, programme)),
  }));
}

const checksOf = ({ control }: ControlStatus): readonly CheckName[] => (control.automated ? control.checks : []);

export function readinessBody(readiness: Readiness): ReadinessBody {
  const { organization, programme } = readiness;
  return {
    organization: { id: organization.id, name: organization.name },
    generated_at: programme.at,
    programme: programmeBody(programme.phases),
    evidence: coverageBody(programme),
    checklist: checklistBody(readiness),
    controls: programme.controls.map((status) => ({
      ...controlBody(status),
      checks: checksOf(status).map((name) => readinessCheckBody(name, programme)),
    })),
  };
}

function checklistBody({ organization, agreements }: Readiness): ChecklistBody {
  const { events, lastEventAt, dataRegion, retentionMonths } = organization;
  const agreed = (name: AgreementBody['agreement']): ChecklistBody['privacy_acceptance'] => {
    const state = agreements.find(({ agreement }) => agreement === name)!;
    return {
      ...item(state.accepted, state.url === null ? 'no_text' : 'done', agreementDetail(state)),
      url: state.url,
      version: state.version,
      accepted_version: state.acceptance?.version ?? null,
      accepted_at: state.acceptance?.accepted_at ?? null,
      accepted_by: state.acceptance?.email ?? null,
    };
  };
  return {
    data_processing_agreement: agreed('data_processing_agreement'),
    privacy_acceptance: agreed('privacy_notice'),
    audit_activity: {
      ...item(
        events > 0,
        'done',
        `${counted(events, 'event')}, excluding sign-ins and sign-outs; the last one: ${minute(lastEventAt)}.`,
      ),
      events_last_30_days: events,
      last_event_at: lastEventAt,
    },
    data_region: {
      ...item(
        dataRegion !== null,
        'stated',
        dataRegion === null
          ? 'The organization has not stated a data region.'
          : `${dataRegion.toUpperCase()}, as stated by the organization. The service does not verify where data is stored.`,
      ),
      region: dataRegion,
    },
    retention: {
      ...item(
        retentionMonths !== null,
        'done',
        retentionMonths === null
          ? 'No retention is set; results are kept indefinitely.'
          : `Results are kept for ${counted(retentionMonths, 'month')}.`,
      ),
      months: retentionMonths,
    },
  };
}

const item = (complete: boolean, state: ChecklistItemBody['state'], detail: string): ChecklistItemBody => ({
  complete,
  state: complete ? state : 'open',
  detail,
});

function agreementDetail({ version, url, accepted, acceptance }: AgreementBody): string {
  const text = url === null ? 'The operator has not published its text.' : `Text: ${url}`;
  if (acceptance === null) return `Version ${version} is in force; no version was accepted. ${text}`;
  const newest = `Version ${acceptance.version} accepted by ${acceptance.email} at ${minute(acceptance.accepted_at)}`;
  return `${newest}${accepted ? '' : `; version ${version} is in force`}. ${text}`;
}
