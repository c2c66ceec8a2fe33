import { ApiProperty } from '@nestjs/swagger';
import { AGREEMENT_NAMES, CHECK_NAMES, type CheckName } from '../../../config/soc2.js';
import { ATTESTATION_KIND_NAMES, type AttestationKind, OUTCOMES } from '../attestations/attestation.js';
import { CHECK_STATES, type CheckState, CONTROL_STATES, type ControlState } from '../evidence/coverage.js';
import { EVIDENCE_STATUSES, type EvidenceStatus, type Trigger, TRIGGERS } from '../evidence/evidence.queries.js';
import { PHASE_STATUSES, type PhaseName, PHASES, type PhaseStatus } from '../programme/phase.js';

// Schemas of what the routes answer, which src/compliance/bodies.ts builds.

const id = { format: 'uuid', example: '01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55' };
const instant = { format: 'date-time', example: '2026-11-21T06:00:00.000Z' };
const maybe = { type: String, nullable: true } as const;
const number = (description: string, example: number) =>
  ({ type: 'integer', minimum: 0, description, example }) as const;

export class PhaseBody {
  @ApiProperty({ enum: PHASES })
  phase!: PhaseName;
  @ApiProperty({ enum: PHASE_STATUSES, description: 'Follows from the days.' })
  status!: PhaseStatus;
  @ApiProperty({ ...maybe, format: 'date', example: '2026-03-01' })
  planned_on!: string | null;
  @ApiProperty({ ...maybe, format: 'date', example: '2026-03-02' })
  started_on!: string | null;
  @ApiProperty({ ...maybe, format: 'date', example: '2026-05-29' })
  completed_on!: string | null;
}

export class ProgrammeBody {
  @ApiProperty({
    enum: [...PHASES, null],
    type: String,
    nullable: true,
    description: 'The first phase not completed; null after the last.',
  })
  current_phase!: PhaseName | null;
  @ApiProperty({ type: [PhaseBody], description: 'All five, in their order.' })
  phases!: PhaseBody[];
  @ApiProperty({ example: false })
  type_1_report_available!: boolean;
  @ApiProperty({ example: false })
  type_2_report_available!: boolean;
}

export class CoverageBody {
  @ApiProperty({
    ...number('`passing` ÷ `applicable`, rounded down to a whole percent; null where no control is applicable.', 57),
    nullable: true,
    maximum: 100,
  })
  coverage_percent!: number | null;
  @ApiProperty(number('Controls of the catalogue.', 46))
  controls!: number;
  @ApiProperty(number('Automated controls that apply here.', 28))
  applicable!: number;
  @ApiProperty(number('All their checks passed and are fresh.', 16))
  passing!: number;
  @ApiProperty(number('A check found a fault or could not be made.', 4))
  failing!: number;
  @ApiProperty(number('A check passed too long ago.', 0))
  stale!: number;
  @ApiProperty(number('A check was never made.', 8))
  missing!: number;
  @ApiProperty(number('There is nothing here that they could be about.', 2))
  not_applicable!: number;
  @ApiProperty(number('No check can tell: an auditor is shown documents.', 18))
  not_automated!: number;
  @ApiProperty({ ...maybe, ...instant, description: 'End of the last round of all checks.' })
  last_round_at!: Date | null;
}

class CheckResultBody {
  @ApiProperty({ enum: CHECK_NAMES })
  check!: CheckName;
  @ApiProperty({ example: 'The last back-up is recent' })
  title!: string;
  @ApiProperty({
    description: 'What has to hold, with its threshold.',
    example: 'The register of back-ups has an entry that passed and is no older than 2 days.',
  })
  asks!: string;
  @ApiProperty({ enum: CHECK_STATES, description: 'What the latest result is worth now.' })
  state!: CheckState;
  @ApiProperty({ ...maybe, ...instant })
  checked_at!: Date | null;
}

export class CheckBody extends CheckResultBody {
  @ApiProperty({
    enum: [...EVIDENCE_STATUSES, null],
    type: String,
    nullable: true,
    description: 'The latest result; null where there is none.',
  })
  status!: EvidenceStatus | null;
  @ApiProperty({ ...maybe, example: '12 chains with 3,480 events recomputed; all are intact.' })
  detail!: string | null;
  @ApiProperty({ ...maybe, ...instant, description: 'Until when a pass counts.' })
  fresh_until!: Date | null;
}

export const CHECK_SCOPES = ['organization', 'platform'] as const;

export class ReadinessCheckBody extends CheckResultBody {
  @ApiProperty({
    enum: CHECK_SCOPES,
    description:
      '`organization`: judged of this organization alone, when it was asked for. `platform`: of the service.',
  })
  scope!: (typeof CHECK_SCOPES)[number];
  @ApiProperty({
    ...maybe,
    description:
      'What was found; the reason where it is failing. Of checks over the rows of all organizations only that it did not hold: nothing of others is told.',
    example: '1 of 2 administrators and owners (50 %) with a second factor; 100 % are asked for.',
  })
  detail!: string | null;
}

export class DashboardBody extends ProgrammeBody {
  @ApiProperty({ type: CoverageBody })
  evidence!: CoverageBody;
  @ApiProperty({ type: [CheckBody] })
  checks!: CheckBody[];
  @ApiProperty({ ...instant, description: 'When the checks are run next by themselves.' })
  next_round_at!: Date;
}

export class ControlBody {
  @ApiProperty({ example: 'OPS-2' })
  id!: string;
  @ApiProperty({ type: [String], description: 'Ids of the trust services criteria.', example: ['CC7.2'] })
  criteria!: string[];
  @ApiProperty({ example: 'Monitoring of activity' })
  title!: string;
  @ApiProperty({ example: 'Security-relevant acts are logged as they happen, with who, what and when.' })
  statement!: string;
  @ApiProperty({ description: 'Whether checks can judge it.' })
  automated!: boolean;
  @ApiProperty({ ...maybe, description: 'What an auditor is shown where no check can judge it.' })
  instead!: string | null;
  @ApiProperty({ enum: CONTROL_STATES })
  state!: ControlState;
  @ApiProperty({ ...maybe, ...instant, description: 'Time of the oldest of the latest results of its checks.' })
  evidence_at!: Date | null;
}

export class ControlEvidenceBody extends ControlBody {
  @ApiProperty({ type: [CheckBody], description: 'All must pass.' })
  checks!: CheckBody[];
}

export class ReadinessControlBody extends ControlBody {
  @ApiProperty({
    type: [ReadinessCheckBody],
    description: 'All must pass; empty where no check can judge the control.',
  })
  checks!: ReadinessCheckBody[];
}

export class EvidenceBody {
  @ApiProperty(id)
  id!: string;
  @ApiProperty({ enum: CHECK_NAMES })
  check!: CheckName;
  @ApiProperty({ enum: EVIDENCE_STATUSES, description: '`error`: the check itself could not be made.' })
  status!: EvidenceStatus;
  @ApiProperty({ example: '12 chains with 3,480 events recomputed; all are intact.' })
  detail!: string;
  @ApiProperty(instant)
  checked_at!: Date;
  @ApiProperty(number('Milliseconds that it took.', 12))
  duration_ms!: number;
  @ApiProperty({ enum: TRIGGERS })
  trigger!: Trigger;
}

export class AttestationBody {
  @ApiProperty(id)
  id!: string;
  @ApiProperty({ enum: ATTESTATION_KIND_NAMES })
  kind!: AttestationKind;
  @ApiProperty(instant)
  performed_at!: Date;
  @ApiProperty({ example: 'nightly back-up job' })
  performed_by!: string;
  @ApiProperty({ enum: OUTCOMES })
  outcome!: string;
  @ApiProperty({ ...maybe, example: null })
  reference!: string | null;
  @ApiProperty(maybe)
  note!: string | null;
  @ApiProperty({ ...maybe, example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  artefact_sha256!: string | null;
  @ApiProperty(instant)
  recorded_at!: Date;
  @ApiProperty({ example: 'ada@example.com' })
  recorded_by!: string;
}

class AcceptanceBody {
  @ApiProperty({ example: '2026-11-01' })
  version!: string;
  @ApiProperty(instant)
  accepted_at!: Date;
  @ApiProperty(id)
  user_id!: string;
  @ApiProperty({ example: 'ada@example.com' })
  email!: string;
}

export class AgreementBody {
  @ApiProperty({ enum: AGREEMENT_NAMES })
  agreement!: string;
  @ApiProperty({ example: 'Data processing agreement' })
  title!: string;
  @ApiProperty({ description: 'The version in force.', example: '2026-11-01' })
  version!: string;
  @ApiProperty({
    ...maybe,
    description:
      'Where it can be read; null where the operator has published no text, so that nobody can tell what is accepted.',
  })
  url!: string | null;
  @ApiProperty({ description: 'Whether the version in force was accepted.' })
  accepted!: boolean;
  @ApiProperty({
    type: AcceptanceBody,
    nullable: true,
    description: 'Of the version in force, else of the last one accepted.',
  })
  acceptance!: AcceptanceBody | null;
}

class OrganizationNameBody {
  @ApiProperty(id)
  id!: string;
  @ApiProperty({ example: 'Acme' })
  name!: string;
}

const CHECKLIST_STATES = ['done', 'stated', 'no_text', 'open'] as const;
export type ChecklistState = (typeof CHECKLIST_STATES)[number];

export class ChecklistItemBody {
  @ApiProperty({ description: 'Whether the organization has done its part.' })
  complete!: boolean;
  @ApiProperty({
    enum: CHECKLIST_STATES,
    description:
      '`open`: not complete. `stated`: complete by the word of the organization, which the service does not verify. `no_text`: accepted, but the operator has published no text of it. `done`: complete otherwise.',
  })
  state!: ChecklistState;
  @ApiProperty({
    description: 'The reason for the state, in a sentence.',
    example: 'EU, as stated by the organization. The service does not verify where data are stored.',
  })
  detail!: string;
}

class AuditActivityBody extends ChecklistItemBody {
  @ApiProperty({ description: 'Whether the audit log grew in the last 30 days, sign-ins and sign-outs left out.' })
  override complete!: boolean;
  @ApiProperty(number('Events in the last 30 days, sign-ins and sign-outs left out.', 124))
  events_last_30_days!: number;
  @ApiProperty({ ...maybe, ...instant, description: 'The last of such events, however old; null where there is none.' })
  last_event_at!: Date | null;
}

class AgreedBody extends ChecklistItemBody {
  @ApiProperty({ ...maybe, description: 'Where the text is published; null where it is not.' })
  url!: string | null;
  @ApiProperty({ description: 'The version in force.', example: '2026-11-01' })
  version!: string;
  @ApiProperty({ ...maybe, example: '2026-11-01' })
  accepted_version!: string | null;
  @ApiProperty({ ...maybe, ...instant })
  accepted_at!: Date | null;
  @ApiProperty({ ...maybe, example: 'ada@example.com' })
  accepted_by!: string | null;
}

class DataRegionBody extends ChecklistItemBody {
  @ApiProperty({ ...maybe, example: 'eu' })
  region!: string | null;
}

class RetentionBody extends ChecklistItemBody {
  @ApiProperty({ type: 'integer', nullable: true, example: 24 })
  months!: number | null;
}

export class ChecklistBody {
  @ApiProperty({ type: AgreedBody })
  data_processing_agreement!: AgreedBody;
  @ApiProperty({ type: AgreedBody })
  privacy_acceptance!: AgreedBody;
  @ApiProperty({ type: AuditActivityBody })
  audit_activity!: AuditActivityBody;
  @ApiProperty({ type: DataRegionBody })
  data_region!: DataRegionBody;
  @ApiProperty({ type: RetentionBody })
  retention!: RetentionBody;
}

export class ReadinessBody {
  @ApiProperty({ type: OrganizationNameBody })
  organization!: OrganizationNameBody;
  @ApiProperty(instant)
  generated_at!: Date;
  @ApiProperty({ type: ProgrammeBody, description: 'The programme of the platform.' })
  programme!: ProgrammeBody;
  @ApiProperty({ type: CoverageBody, description: 'How much of the controls below automated evidence covers.' })
  evidence!: CoverageBody;
  @ApiProperty({ type: ChecklistBody, description: 'What the organization itself has done.' })
  checklist!: ChecklistBody;
  @ApiProperty({ type: [ReadinessControlBody] })
  controls!: ReadinessControlBody[];
}
