import { ApiProperty } from '@nestjs/swagger';
import { instantProperty, nullableString } from '../../platform/http/openapi/api-properties.js';
import { PHASE_STATUSES, type PhaseName, PHASES, type PhaseStatus } from '../programme/phase.js';
import { CheckBody, CoverageBody } from './controls.dto.js';

export class PhaseBody {
  @ApiProperty({ enum: PHASES, description: 'The phase.' })
  phase!: PhaseName;
  @ApiProperty({ enum: PHASE_STATUSES, description: 'Derived from the dates.' })
  status!: PhaseStatus;
  @ApiProperty({
    ...nullableString,
    format: 'date',
    description: 'The day for which the phase is planned. Null if none is set.',
    example: '2026-03-01',
  })
  planned_on!: string | null;
  @ApiProperty({
    ...nullableString,
    format: 'date',
    description: 'The day on which the phase was started. Null until then.',
    example: '2026-03-02',
  })
  started_on!: string | null;
  @ApiProperty({
    ...nullableString,
    format: 'date',
    description: 'The day on which the phase was completed. Null until then.',
    example: '2026-05-29',
  })
  completed_on!: string | null;
}

export class ProgrammeBody {
  @ApiProperty({
    enum: [...PHASES, null],
    ...nullableString,
    description: 'The first phase that is not completed; null if all are completed.',
  })
  current_phase!: PhaseName | null;
  @ApiProperty({ type: [PhaseBody], description: 'All five phases, in order.' })
  phases!: PhaseBody[];
  @ApiProperty({ description: 'Whether the type I report is available.', example: false })
  type_1_report_available!: boolean;
  @ApiProperty({ description: 'Whether the type II report is available.', example: false })
  type_2_report_available!: boolean;
}

export class DashboardBody extends ProgrammeBody {
  @ApiProperty({ type: CoverageBody, description: 'How many controls have fresh, passing evidence.' })
  evidence!: CoverageBody;
  @ApiProperty({ type: [CheckBody], description: 'All checks with their latest results.' })
  checks!: CheckBody[];
  @ApiProperty({
    ...instantProperty,
    description: 'When the checks will next run automatically; the time of the response if they are due.',
  })
  next_round_at!: Date;
}
