import { ApiProperty } from '@nestjs/swagger';
import {
  countProperty,
  idProperty,
  instantProperty,
  nullableString,
} from '../../platform/http/openapi/api-properties.js';
import { CoverageBody, ReadinessControlBody } from './controls.dto.js';
import { ProgrammeBody } from './programme.dto.js';

class OrganizationNameBody {
  @ApiProperty(idProperty)
  id!: string;
  @ApiProperty({ description: 'Name of the organization.', example: 'Acme' })
  name!: string;
}

const CHECKLIST_STATES = ['done', 'stated', 'no_text', 'open'] as const;
export type ChecklistState = (typeof CHECKLIST_STATES)[number];

export class ChecklistItemBody {
  @ApiProperty({ description: 'Whether the organization has completed this item.' })
  complete!: boolean;
  @ApiProperty({
    enum: CHECKLIST_STATES,
    description:
      '`open`: not complete. `stated`: complete as stated by the organization, not verified by the service. `no_text`: accepted, but the operator has not published the text. `done`: complete otherwise.',
  })
  state!: ChecklistState;
  @ApiProperty({
    description: 'The reason for the state, as a sentence.',
    example: 'EU, as stated by the organization. The service does not verify where data is stored.',
  })
  detail!: string;
}

class AuditActivityBody extends ChecklistItemBody {
  @ApiProperty({
    description: 'Whether the audit log has events from the last 30 days, excluding sign-ins and sign-outs.',
  })
  override complete!: boolean;
  @ApiProperty(countProperty('Number of events in the last 30 days, excluding sign-ins and sign-outs.', 124))
  events_last_30_days!: number;
  @ApiProperty({
    ...nullableString,
    ...instantProperty,
    description: 'When the last such event occurred, however long ago; null if there is none.',
  })
  last_event_at!: Date | null;
}

class AgreedBody extends ChecklistItemBody {
  @ApiProperty({ ...nullableString, description: 'Where the text is published; null if it is not published.' })
  url!: string | null;
  @ApiProperty({ description: 'The version in force.', example: '2026-11-01' })
  version!: string;
  @ApiProperty({
    ...nullableString,
    description: 'The version that was accepted. Null if none was.',
    example: '2026-11-01',
  })
  accepted_version!: string | null;
  @ApiProperty({
    ...nullableString,
    ...instantProperty,
    description: 'When the agreement was last accepted. Null if never.',
  })
  accepted_at!: Date | null;
  @ApiProperty({
    ...nullableString,
    description: 'Email address of the user who accepted it. Null if nobody has.',
    example: 'ada@example.com',
  })
  accepted_by!: string | null;
}

class DataRegionBody extends ChecklistItemBody {
  @ApiProperty({
    ...nullableString,
    description: 'The region that is set for this installation. Null if none is.',
    example: 'eu',
  })
  region!: string | null;
}

class RetentionBody extends ChecklistItemBody {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Number of months after which runs, imports, syncs and alerts are deleted. Null if they are kept.',
    example: 24,
  })
  months!: number | null;
}

export class ChecklistBody {
  @ApiProperty({ type: AgreedBody, description: 'Whether the data processing agreement is accepted.' })
  data_processing_agreement!: AgreedBody;
  @ApiProperty({ type: AgreedBody, description: 'Whether the privacy policy is accepted.' })
  privacy_acceptance!: AgreedBody;
  @ApiProperty({ type: AuditActivityBody, description: 'Whether the audit log shows activity.' })
  audit_activity!: AuditActivityBody;
  @ApiProperty({ type: DataRegionBody, description: 'Where the data is stored.' })
  data_region!: DataRegionBody;
  @ApiProperty({ type: RetentionBody, description: 'How long the data is kept.' })
  retention!: RetentionBody;
}

export class ReadinessBody {
  @ApiProperty({ type: OrganizationNameBody, description: 'The organization that it is about.' })
  organization!: OrganizationNameBody;
  @ApiProperty({ ...instantProperty, description: 'When the readiness was evaluated.' })
  generated_at!: Date;
  @ApiProperty({ type: ProgrammeBody, description: 'The SOC 2 programme of the platform.' })
  programme!: ProgrammeBody;
  @ApiProperty({ type: CoverageBody, description: 'How many of the controls below are covered by automated evidence.' })
  evidence!: CoverageBody;
  @ApiProperty({ type: ChecklistBody, description: 'What the organization itself has done.' })
  checklist!: ChecklistBody;
  @ApiProperty({ type: [ReadinessControlBody], description: 'The controls with the checks that evaluate them.' })
  controls!: ReadinessControlBody[];
}
