import { ApiProperty } from '@nestjs/swagger';
import { PLAN_NAMES, type PlanLimits, type PlanName } from '../../config/plans.js';
import { OptionalMonth } from '../platform/http/calendar-month.js';
import type { Usage } from './quota.js';

export class OrganizationUsageDto {
  @OptionalMonth({
    description: 'The month (UTC) whose runs are told, not after the current one, which it is if left out.',
    example: '2026-09',
  })
  month?: string;
}

export class UsageBody implements Usage {
  @ApiProperty({ enum: PLAN_NAMES, example: 'growth' })
  plan!: PlanName;

  @ApiProperty({
    description: 'First day of the calendar month (UTC) that is counted.',
    example: '2026-11-01',
    format: 'date',
  })
  month!: string;

  @ApiProperty({ type: 'integer', description: 'Runs a month that the plan includes.', example: 200 })
  quota!: number;

  @ApiProperty({ type: 'integer', description: 'Runs counted against the quota.', example: 17 })
  used!: number;

  @ApiProperty({ type: 'integer', description: 'Runs beyond the quota, billed by metering.', example: 0 })
  overage!: number;

  @ApiProperty({
    description:
      'Whether a run beyond the quota is billed by metering now (the plan has overage, a metering service knows the organization, and `overage_limit` is not reached). Where not, it is refused with 402.',
    example: false,
  })
  overage_enabled!: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Runs beyond the quota that may be billed in a month, as admins of the organization have set it; null: any number.',
    example: null,
  })
  overage_limit!: number | null;

  @ApiProperty({ description: 'When counting starts anew.', example: '2026-12-01T00:00:00.000Z', format: 'date-time' })
  resets_at!: string;
}

class LimitBody {
  @ApiProperty({ type: 'integer', description: 'How many the plan allows.', example: 5 })
  limit!: number;

  @ApiProperty({ type: 'integer', description: 'How many count against it; more after a downgrade.', example: 2 })
  used!: number;
}

class PlanUseBody implements Record<
  keyof Pick<PlanLimits, 'monthly_runs' | 'workspaces' | 'members' | 'api_keys'>,
  unknown
> {
  @ApiProperty({
    type: LimitBody,
    description: 'Runs of the month; `used` is without overage.',
    example: { limit: 200, used: 17 },
  })
  monthly_runs!: LimitBody;

  @ApiProperty({ type: LimitBody })
  workspaces!: LimitBody;

  @ApiProperty({ type: LimitBody, description: 'With open invitations.', example: { limit: 15, used: 4 } })
  members!: LimitBody;

  @ApiProperty({
    type: LimitBody,
    description: 'Without those that are revoked, expired or rotated.',
    example: { limit: 5, used: 1 },
  })
  api_keys!: LimitBody;
}

export class OrganizationUsageBody extends UsageBody {
  @ApiProperty({ type: PlanUseBody })
  limits!: PlanUseBody;
}
