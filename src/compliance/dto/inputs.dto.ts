import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, Matches, ValidateNested } from 'class-validator';
import { AGREEMENT_NAMES, type AgreementName, CHECK_NAMES, type CheckName } from '../../../config/soc2.js';
import { AllDifferent } from '../../platform/http/rules/all-different.js';
import { IsDay } from '../../platform/http/rules/calendar-day.js';
import { IsFlag } from '../../platform/http/rules/flag.js';
import { IsInstant } from '../../platform/http/rules/instant.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { ContainsOnly, IsOneOf } from '../../platform/http/rules/one-of.js';
import { pageQuery, type PageSize } from '../../platform/http/page-query.js';
import { IsText } from '../../platform/http/rules/text.js';
import {
  ATTESTATION_KIND_NAMES,
  type AttestationKind,
  MAX_NOTE_LENGTH,
  type Outcome,
  OUTCOMES,
} from '../attestations/attestation-kinds.js';
import { type PhaseName, PHASES } from '../programme/phase.js';

const SHORT = 200;

/** A day, or null to clear it; unchanged if omitted. */
const PhaseDay = (description: string): PropertyDecorator =>
  applyDecorators(
    OptionalProperty({ type: String, format: 'date', nullable: true, description, example: '2026-11-21' }),
    IsDay(),
  );

export class ChangePhaseDto {
  @ApiProperty({ enum: PHASES, description: 'The phase to change.' })
  @IsOneOf(PHASES)
  phase!: PhaseName;

  @PhaseDay('When the phase is planned to start.')
  planned_on?: string | null;

  @PhaseDay('When the phase started. The previous phase must be completed.')
  started_on?: string | null;

  @PhaseDay('When the phase was completed.')
  completed_on?: string | null;
}

export class ChangeProgrammeDto {
  @OptionalProperty({
    type: [ChangePhaseDto],
    minItems: 1,
    maxItems: PHASES.length,
    description: 'The phases to update, each at most once.',
  })
  @ArrayMinSize(1, { message: 'must contain at least one phase' })
  @ArrayUnique((entry: ChangePhaseDto) => entry?.phase, { message: 'must contain each phase at most once' })
  @ArrayMaxSize(PHASES.length, { message: `must contain at most ${PHASES.length} phases` })
  @ValidateNested({ each: true, message: 'must be a list of objects, each with phase' })
  @Type(() => ChangePhaseDto)
  @IsArray({ message: 'must be a list of phases' })
  phases?: ChangePhaseDto[];

  @OptionalProperty({
    description: 'Whether the type I report is available. Requires that `type_1` is completed.',
    example: false,
  })
  @IsFlag()
  type_1_report_available?: boolean;

  @OptionalProperty({
    description: 'Whether the type II report is available. Requires that `type_2` is completed.',
    example: false,
  })
  @IsFlag()
  type_2_report_available?: boolean;
}

export class RunChecksDto {
  @OptionalProperty({
    enum: CHECK_NAMES,
    isArray: true,
    minItems: 1,
    uniqueItems: true,
    description: 'The checks to run; defaults to all.',
  })
  @ArrayMinSize(1, { message: 'must contain at least one check' })
  @AllDifferent('must contain each check at most once')
  @ContainsOnly(CHECK_NAMES)
  @IsArray({ message: 'must be a list of checks' })
  checks?: CheckName[];
}

const REGISTER_PAGE: PageSize = { max: 200, default: 50 };

class PageDto extends pageQuery(REGISTER_PAGE) {}

export class ListEvidenceDto extends PageDto {
  @OptionalProperty({ enum: CHECK_NAMES, description: 'Only results of this check.' })
  @IsOneOf(CHECK_NAMES)
  check?: CheckName;
}

export class ListAttestationsDto extends PageDto {
  @OptionalProperty({ enum: ATTESTATION_KIND_NAMES, description: 'Only entries of this kind.' })
  @IsOneOf(ATTESTATION_KIND_NAMES)
  kind?: AttestationKind;
}

export class AttestDto {
  @ApiProperty({ enum: ATTESTATION_KIND_NAMES, description: 'What was done.', example: 'backup' })
  @IsOneOf(ATTESTATION_KIND_NAMES)
  kind!: AttestationKind;

  @OptionalProperty({
    type: String,
    format: 'date-time',
    description: 'When it was performed; defaults to now. Must not be in the future.',
  })
  @IsInstant()
  performed_at?: Date;

  @ApiProperty({
    description: 'The person, company or job that performed it.',
    example: 'nightly backup job',
  })
  @IsText({ max: SHORT })
  performed_by!: string;

  @OptionalProperty({
    enum: OUTCOMES,
    default: 'passed',
    description: 'A scan with findings, or a restore drill that did not succeed, counts as `failed`.',
  })
  @IsOneOf(OUTCOMES)
  outcome?: Outcome;

  @OptionalProperty({
    description: 'What the entry refers to. For `release_ci`, the version of the release.',
    example: '1.4.0',
  })
  @IsText({ max: SHORT })
  reference?: string;

  @OptionalProperty({
    description: 'Additional information for auditors.',
    example: 'Restored into a test server, row counts compared.',
  })
  @IsText({ max: MAX_NOTE_LENGTH, multiline: true })
  note?: string;

  @OptionalProperty({
    description: 'SHA-256 of the resulting artifact, such as the dump, the log or the minutes.',
    pattern: '^[0-9a-f]{64}$',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  @Matches(/^[0-9a-f]{64}$/, { message: 'must be 64 lowercase hexadecimal digits' })
  artefact_sha256?: string;
}

export class AcceptAgreementDto {
  @ApiProperty({ enum: AGREEMENT_NAMES, description: 'The agreement to accept.' })
  @IsOneOf(AGREEMENT_NAMES)
  agreement!: AgreementName;

  @ApiProperty({
    description: 'The version that you have read. It must be the version in force.',
    example: '2026-11-01',
  })
  @IsText({ max: SHORT })
  version!: string;
}
