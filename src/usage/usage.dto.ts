import { ApiProperty } from '@nestjs/swagger';
import { PLAN_NAMES, type PlanLimits, type PlanName } from '../../config/plans.js';
import { OptionalMonth } from '../platform/http/rules/calendar-month.js';

export class OrganizationUsageDto {
  @OptionalMonth({
    description: 'The month (UTC) to return runs for. Must not be after the current month, which is the default.',
    example: '2026-09',
  })
  month?: string;
}

/** Runs in a calendar month (UTC). */
export class UsageBody {
  @ApiProperty({ enum: PLAN_NAMES, description: 'Plan of the organization.', example: 'growth' })
  plan!: PlanName;

  @ApiProperty({
    description: 'First day of the calendar month (UTC) that the counts are for.',
    example: '2026-11-01',
    format: 'date',
  })
  month!: string;

  @ApiProperty({ type: 'integer', description: 'Number of runs per month that the plan includes.', example: 200 })
  quota!: number;

  @ApiProperty({ type: 'integer', description: 'Number of runs counted against the quota.', example: 17 })
  used!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of runs beyond the quota, which are billed by metering.',
    example: 0,
  })
  overage!: number;

  @ApiProperty({
    description:
      'Whether a further run beyond the quota would be billed by metering. This is the case if the plan has overage, the organization is known to a metering service and `overage_limit` is not reached. Otherwise, the run is rejected with 402.',
    example: false,
  })
  overage_enabled!: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Maximum number of runs beyond the quota that may be billed per month, set by the admins of the organization; null for any number.',
    example: null,
  })
  overage_limit!: number | null;

  @ApiProperty({ description: 'When the quota resets.', example: '2026-12-01T00:00:00.000Z', format: 'date-time' })
  resets_at!: string;
}

class LimitBody {
  @ApiProperty({ type: 'integer', description: 'How many the plan allows.', example: 5 })
  limit!: number;

  @ApiProperty({
    type: 'integer',
    description: 'How many count against the limit. May exceed it after a downgrade.',
    example: 2,
  })
  used!: number;
}

class PlanUseBody implements Record<
  keyof Pick<PlanLimits, 'monthly_runs' | 'workspaces' | 'members' | 'api_keys'>,
  unknown
> {
  @ApiProperty({
    type: LimitBody,
    description: 'Runs of the month; `used` excludes overage.',
    example: { limit: 200, used: 17 },
  })
  monthly_runs!: LimitBody;

  @ApiProperty({ type: LimitBody, description: 'Workspaces of the organization.' })
  workspaces!: LimitBody;

  @ApiProperty({
    type: LimitBody,
    description: 'Members, including open invitations.',
    example: { limit: 15, used: 4 },
  })
  members!: LimitBody;

  @ApiProperty({
    type: LimitBody,
    description: 'API keys, excluding those that are revoked, expired or rotated.',
    example: { limit: 5, used: 1 },
  })
  api_keys!: LimitBody;
}

export class OrganizationUsageBody extends UsageBody {
  @ApiProperty({ type: PlanUseBody, description: 'What the plan limits, and how much of it is used.' })
  limits!: PlanUseBody;
}
