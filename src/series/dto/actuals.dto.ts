import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Omittable } from '../../platform/http/omittable.js';
import { ReadSeriesDto } from './series.dto.js';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])(-01)?$/;
const MONTH_MESSAGE = { message: 'must be a month such as 2026-09 or 2026-09-01' };

/** Which months of a series' demand to read. */
export class ActualsRangeDto {
  @ApiPropertyOptional({ description: 'First month wanted.', type: String, example: '2026-01-01' })
  @Omittable()
  @Matches(MONTH, MONTH_MESSAGE)
  from?: string;

  @ApiPropertyOptional({ description: 'Last month wanted.', type: String, example: '2026-10-01' })
  @Omittable()
  @Matches(MONTH, MONTH_MESSAGE)
  to?: string;
}

/** Which months of which series' demand to read, where a key reaches several workspaces. */
export class ReadActualsDto extends IntersectionType(ReadSeriesDto, ActualsRangeDto) {}

/** Which months of a series' demand to delete; both must be said. */
export class DeletedActualsDto {
  @ApiProperty({ description: 'First month to delete.', type: String, example: '2026-09-01' })
  @Matches(MONTH, MONTH_MESSAGE)
  from!: string;

  @ApiProperty({ description: 'Last month to delete.', type: String, example: '2026-09-01' })
  @Matches(MONTH, MONTH_MESSAGE)
  to!: string;
}

class ActualDayDto {
  @ApiProperty({ format: 'date', example: '2026-09-14' })
  ds!: string;
  @ApiProperty({ example: 12 })
  y!: number;
}

/** Stored demand of one month. */
export class ActualMonthDto {
  @ApiProperty({ format: 'date', example: '2026-09-01' })
  month!: string;
  @ApiProperty({ description: 'Demand of the month: its figure, or the sum of its days.', example: 120 })
  y!: number;
  @ApiProperty({
    type: [ActualDayDto],
    nullable: true,
    description: 'Days on record; null where the month was given as one figure.',
    example: null,
  })
  days!: ActualDayDto[] | null;
}
