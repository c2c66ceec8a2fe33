import { ApiProperty } from '@nestjs/swagger';
import { PHASE_STATUSES, type PhaseName, PHASES, type PhaseStatus } from '../programme/phase.js';
import { instant, maybe } from './properties.js';
import { CheckBody, CoverageBody } from './controls.dto.js';

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

export class DashboardBody extends ProgrammeBody {
  @ApiProperty({ type: CoverageBody })
  evidence!: CoverageBody;
  @ApiProperty({ type: [CheckBody] })
  checks!: CheckBody[];
  @ApiProperty({
    ...instant,
    description: 'When the checks are run next by themselves; the time of the reply if they are due.',
  })
  next_round_at!: Date;
}
