import { ApiProperty } from '@nestjs/swagger';
import { CHECK_NAMES, type CheckName } from '../../../config/soc2.js';
import {
  countProperty,
  idProperty,
  instantProperty,
  nullableString,
} from '../../platform/http/openapi/api-properties.js';
import {
  ATTESTATION_KIND_NAMES,
  type AttestationKind,
  type Outcome,
  OUTCOMES,
} from '../attestations/attestation-kinds.js';
import { EVIDENCE_STATUSES, type EvidenceStatus, type Trigger, TRIGGERS } from '../evidence/evidence.js';

export class EvidenceBody {
  @ApiProperty(idProperty)
  id!: string;
  @ApiProperty({ enum: CHECK_NAMES, description: 'Name of the check.' })
  check!: CheckName;
  @ApiProperty({ enum: EVIDENCE_STATUSES, description: '`error`: the check itself could not run.' })
  status!: EvidenceStatus;
  @ApiProperty({
    description: 'The findings, including the reason for a failure.',
    example: 'Recomputed 12 chains with 3,480 events; all are intact.',
  })
  detail!: string;
  @ApiProperty({ ...instantProperty, description: 'When the check ran.' })
  checked_at!: Date;
  @ApiProperty(countProperty('Duration of the check in milliseconds.', 12))
  duration_ms!: number;
  @ApiProperty({ enum: TRIGGERS, description: 'What started the check.' })
  trigger!: Trigger;
}

export class AttestationBody {
  @ApiProperty(idProperty)
  id!: string;
  @ApiProperty({ enum: ATTESTATION_KIND_NAMES, description: 'What was done.' })
  kind!: AttestationKind;
  @ApiProperty({ ...instantProperty, description: 'When it was done.' })
  performed_at!: Date;
  @ApiProperty({ description: 'Who or what did it.', example: 'nightly backup job' })
  performed_by!: string;
  @ApiProperty({ enum: OUTCOMES, description: 'How it ended.' })
  outcome!: Outcome;
  @ApiProperty({
    ...nullableString,
    description: 'Where the proof is kept, such as a ticket or URL. Null if none was given.',
    example: null,
  })
  reference!: string | null;
  @ApiProperty({ ...nullableString, description: 'Remarks. Null if there are none.' })
  note!: string | null;
  @ApiProperty({
    ...nullableString,
    description: 'SHA-256 of the file that proves it, in hexadecimal. Null if none was given.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  artefact_sha256!: string | null;
  @ApiProperty({ ...instantProperty, description: 'When it was recorded.' })
  recorded_at!: Date;
  @ApiProperty({ description: 'Email address of the operator who recorded it.', example: 'ada@example.com' })
  recorded_by!: string;
}
