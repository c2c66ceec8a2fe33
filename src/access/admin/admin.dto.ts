import { ApiProperty } from '@nestjs/swagger';
import { PLAN_NAMES, type PlanName } from '../../../config/plans.js';
import { nullableInstant, nullableString } from '../../platform/http/openapi/api-properties.js';
import { Remark } from '../../platform/http/validation/change.js';
import { IsFlag } from '../../platform/http/rules/flag.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { pageQuery, type PageSize } from '../../platform/http/page-query.js';
import { IsText } from '../../platform/http/rules/text.js';
import { FLAG_NAMES, type FlagName } from '../flags/flags.queries.js';
import { OrganizationBody } from '../organizations/organizations.dto.js';

const ORGANIZATIONS_PAGE: PageSize = { max: 200, default: 50 };
const MAX_REASON_LENGTH = 500;

export class ListOrganizationsDto extends pageQuery(ORGANIZATIONS_PAGE) {}

/** What an operator can change about an organization. */
export class OperateOrganizationDto {
  @OptionalProperty({ enum: PLAN_NAMES, description: 'The new plan.' })
  @IsOneOf(PLAN_NAMES)
  plan?: PlanName;

  @OptionalProperty({ description: 'Whether all requests of the organization are rejected.' })
  @IsFlag()
  suspended?: boolean;

  @OptionalProperty({
    description: 'Why the organization is suspended, shown to its members. Allowed only together with `suspended`.',
    example: 'Invoice unpaid for 60 days',
  })
  @Remark()
  @IsText({ max: MAX_REASON_LENGTH })
  reason?: string;
}

export class OperatedOrganizationBody extends OrganizationBody {
  @ApiProperty({
    type: 'integer',
    description: 'Number of keys that this change locked because the plan allows fewer.',
  })
  keys_locked!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of keys that this change unlocked because the plan allows more.',
  })
  keys_unlocked!: number;
}

export class SetFlagDto {
  @ApiProperty({ description: 'Whether to turn the flag on.' })
  @IsFlag()
  enabled!: boolean;

  @OptionalProperty({
    description: 'The reason, shown to rejected callers.',
    example: 'Moving to another database',
  })
  @IsText({ max: MAX_REASON_LENGTH })
  reason?: string;
}

export class FlagBody {
  @ApiProperty({ enum: FLAG_NAMES, description: 'Name of the flag.' })
  name!: FlagName;

  @ApiProperty({ description: 'Whether the flag is on.' })
  enabled!: boolean;

  @ApiProperty({
    ...nullableString,
    description: 'Why the flag was last changed. Null if no reason was given.',
    example: 'Moving to another database',
  })
  reason!: string | null;

  @ApiProperty({
    ...nullableString,
    description: 'Who last set the flag; null if it was never set.',
    example: 'ada@example.com',
  })
  changed_by!: string | null;

  @ApiProperty({
    ...nullableInstant,
    description: 'When the flag was last changed. Null if never.',
    example: '2026-11-21T06:00:00.000Z',
  })
  changed_at!: Date | null;
}
