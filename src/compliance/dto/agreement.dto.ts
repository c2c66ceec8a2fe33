import { ApiProperty } from '@nestjs/swagger';
import { AGREEMENT_NAMES, type AgreementName } from '../../../config/soc2.js';
import { idProperty, instantProperty, nullableString } from '../../platform/http/openapi/api-properties.js';

export class AcceptanceBody {
  @ApiProperty({ description: 'The version of the agreement that was accepted.', example: '2026-11-01' })
  version!: string;
  @ApiProperty({ ...instantProperty, description: 'When it was accepted.' })
  accepted_at!: Date;
  @ApiProperty({ ...idProperty, description: 'Id of the user who accepted it.' })
  user_id!: string;
  @ApiProperty({ description: 'Email address of the user who accepted it, at that time.', example: 'ada@example.com' })
  email!: string;
}

/** An agreement in force, and the latest acceptance of any of its versions. */
export class AgreementBody {
  @ApiProperty({ enum: AGREEMENT_NAMES, description: 'The agreement.' })
  agreement!: AgreementName;
  @ApiProperty({ description: 'Title of the agreement.', example: 'Data processing agreement' })
  title!: string;
  @ApiProperty({ description: 'The version in force.', example: '2026-11-01' })
  version!: string;
  @ApiProperty({
    ...nullableString,
    description:
      'Where the agreement is published. Null if the operator has not published its text; in that case, nobody can tell what is accepted.',
  })
  url!: string | null;
  @ApiProperty({ description: 'Whether the version in force was accepted.' })
  accepted!: boolean;
  @ApiProperty({
    type: AcceptanceBody,
    nullable: true,
    description: 'The acceptance of the version in force, or else of the last version that was accepted.',
  })
  acceptance!: AcceptanceBody | null;
}
