import { ApiProperty } from '@nestjs/swagger';
import { CHECK_NAMES, type CheckName } from '../../../config/soc2.js';
import { CHECK_STATES, type CheckState, CONTROL_STATES, type ControlState } from '../evidence/coverage.js';
import { EVIDENCE_STATUSES, type EvidenceStatus } from '../evidence/evidence.queries.js';
import { instant, maybe, number } from './properties.js';

export const CHECK_SCOPES = ['organization', 'platform'] as const;

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
