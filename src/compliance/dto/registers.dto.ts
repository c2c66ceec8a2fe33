import { ApiProperty } from '@nestjs/swagger';
import { CHECK_NAMES, type CheckName } from '../../../config/soc2.js';
import { ATTESTATION_KIND_NAMES, type AttestationKind, OUTCOMES } from '../attestations/attestation.js';
import { EVIDENCE_STATUSES, type EvidenceStatus, type Trigger, TRIGGERS } from '../evidence/evidence.queries.js';
import { id, instant, nullableString, number } from './properties.js';

export class EvidenceBody {
  @ApiProperty(id)
  id!: string;
  @ApiProperty({ enum: CHECK_NAMES })
  check!: CheckName;
  @ApiProperty({ enum: EVIDENCE_STATUSES, description: '`error`: the check itself could not run.' })
  status!: EvidenceStatus;
  @ApiProperty({ example: 'Recomputed 12 chains with 3,480 events; all are intact.' })
  detail!: string;
  @ApiProperty(instant)
  checked_at!: Date;
  @ApiProperty(number('Duration of the check in milliseconds.', 12))
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
  @ApiProperty({ example: 'nightly backup job' })
  performed_by!: string;
  @ApiProperty({ enum: OUTCOMES })
  outcome!: string;
  @ApiProperty({ ...nullableString, example: null })
  reference!: string | null;
  @ApiProperty(nullableString)
  note!: string | null;
  @ApiProperty({ ...nullableString, example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  artefact_sha256!: string | null;
  @ApiProperty(instant)
  recorded_at!: Date;
  @ApiProperty({ example: 'ada@example.com' })
  recorded_by!: string;
}
