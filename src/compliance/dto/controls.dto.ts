import { ApiProperty } from '@nestjs/swagger';
import { CHECK_NAMES, type CheckName } from '../../../config/soc2.js';
import { countProperty, instantProperty, nullableString } from '../../platform/http/openapi/api-properties.js';
import { CHECK_STATES, type CheckState, CONTROL_STATES, type ControlState } from '../evidence/coverage.js';
import { EVIDENCE_STATUSES, type EvidenceStatus } from '../evidence/evidence.js';

export const CHECK_SCOPES = ['organization', 'platform'] as const;

export class CoverageBody {
  @ApiProperty({
    ...countProperty(
      '`passing` ÷ `applicable`, rounded down to a whole percent; null if no control is applicable.',
      57,
    ),
    nullable: true,
    maximum: 100,
  })
  coverage_percent!: number | null;
  @ApiProperty(countProperty('Number of controls.', 46))
  controls!: number;
  @ApiProperty(countProperty('Number of automated controls that apply to this installation.', 28))
  applicable!: number;
  @ApiProperty(countProperty('Number of controls whose checks have all passed and are fresh.', 16))
  passing!: number;
  @ApiProperty(countProperty('Number of controls with a check that failed or could not run.', 4))
  failing!: number;
  @ApiProperty(countProperty('Number of controls with a check that last passed too long ago.', 0))
  stale!: number;
  @ApiProperty(countProperty('Number of controls with a check that has never run.', 8))
  missing!: number;
  @ApiProperty(countProperty('Number of automated controls for which this installation has nothing to check.', 2))
  not_applicable!: number;
  @ApiProperty(
    countProperty('Number of controls that no check can evaluate; auditors are shown documents instead.', 18),
  )
  not_automated!: number;
  @ApiProperty({ ...nullableString, ...instantProperty, description: 'When the last round of all checks ended.' })
  last_round_at!: Date | null;
}

class CheckResultBody {
  @ApiProperty({ enum: CHECK_NAMES, description: 'Name of the check.' })
  check!: CheckName;
  @ApiProperty({ description: 'The check in a few words.', example: 'The last backup is recent' })
  title!: string;
  @ApiProperty({
    description: 'The requirement, with its threshold.',
    example: 'The latest entry in the register of backups passed and is no older than 2 days.',
  })
  asks!: string;
  @ApiProperty({ enum: CHECK_STATES, description: 'The current state, based on the latest result and its age.' })
  state!: CheckState;
  @ApiProperty({
    ...nullableString,
    ...instantProperty,
    description: 'When the latest result was found. Null if the check has never run.',
  })
  checked_at!: Date | null;
}

export class CheckBody extends CheckResultBody {
  @ApiProperty({
    enum: [...EVIDENCE_STATUSES, null],
    ...nullableString,
    description: 'The latest result; null if the check has never run.',
  })
  status!: EvidenceStatus | null;
  @ApiProperty({
    ...nullableString,
    description: 'The findings, including the reason for a failure. Null if the check has never run.',
    example: 'Recomputed 12 chains with 3,480 events; all are intact.',
  })
  detail!: string | null;
  @ApiProperty({ ...nullableString, ...instantProperty, description: 'When the result stops counting as evidence.' })
  fresh_until!: Date | null;
}

export class ReadinessCheckBody extends CheckResultBody {
  @ApiProperty({
    enum: CHECK_SCOPES,
    description:
      '`organization`: evaluated for this organization alone, at the time of the request. `platform`: evaluated for the whole service.',
  })
  scope!: (typeof CHECK_SCOPES)[number];
  @ApiProperty({
    ...nullableString,
    description:
      'The findings, including the reason for a failure. For checks that cover the data of all organizations, only the fact that the check failed, without details about other organizations.',
    example: '1 of 2 administrators and owners (50%) with a second factor; 100% required.',
  })
  detail!: string | null;
}

export class ControlBody {
  @ApiProperty({ description: 'Id of the control in the catalog.', example: 'OPS-2' })
  id!: string;
  @ApiProperty({
    type: [String],
    description: 'Ids of the trust services criteria that the control meets.',
    example: ['CC7.2'],
  })
  criteria!: string[];
  @ApiProperty({ description: 'The control in a few words.', example: 'Monitoring of activity' })
  title!: string;
  @ApiProperty({
    description: 'What the control promises.',
    example: 'Security-relevant actions are logged as they happen, with who, what and when.',
  })
  statement!: string;
  @ApiProperty({ description: 'Whether checks can evaluate the control.' })
  automated!: boolean;
  @ApiProperty({ ...nullableString, description: 'What auditors are shown if no check can evaluate the control.' })
  instead!: string | null;
  @ApiProperty({ enum: CONTROL_STATES, description: 'State of the evidence.' })
  state!: ControlState;
  @ApiProperty({
    ...nullableString,
    ...instantProperty,
    description: 'The oldest time among the latest results of its checks.',
  })
  evidence_at!: Date | null;
}

export class ControlEvidenceBody extends ControlBody {
  @ApiProperty({ type: [CheckBody], description: 'The checks that evaluate the control. All of them must pass.' })
  checks!: CheckBody[];
}

export class ReadinessControlBody extends ControlBody {
  @ApiProperty({
    type: [ReadinessCheckBody],
    description: 'The checks that evaluate the control. All of them must pass. Empty if no check can evaluate it.',
  })
  checks!: ReadinessCheckBody[];
}
