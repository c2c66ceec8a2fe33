import { ApiProperty } from '@nestjs/swagger';
import type { Usage } from './quota.js';

export class UsageBody implements Usage {
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

  @ApiProperty({ description: 'When counting starts anew.', example: '2026-12-01T00:00:00.000Z', format: 'date-time' })
  resets_at!: string;
}
