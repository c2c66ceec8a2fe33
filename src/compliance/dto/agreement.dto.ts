import { ApiProperty } from '@nestjs/swagger';
import { AGREEMENT_NAMES } from '../../../config/soc2.js';
import { id, instant, nullableString } from './properties.js';

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
