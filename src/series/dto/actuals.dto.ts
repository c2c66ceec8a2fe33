import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { Month, OptionalMonth } from '../../platform/http/rules/calendar-month.js';
import { ReadSeriesDto } from './series.dto.js';

/** The months of a series' demand to read. */
export class ActualsRangeDto {
  @OptionalMonth({ description: 'First month to return.', example: '2026-01-01' })
  from?: string;

  @OptionalMonth({ description: 'Last month to return.', example: '2026-10-01' })
  to?: string;
}

/** The series and months of demand to read, for keys with access to several workspaces. */
export class ReadActualsDto extends IntersectionType(ReadSeriesDto, ActualsRangeDto) {}

/** The months of a series' demand to delete; both bounds are required. */
export class DeletedActualsDto {
  @Month({ description: 'First month to delete.', example: '2026-09-01' })
  from!: string;

  @Month({ description: 'Last month to delete.', example: '2026-09-01' })
  to!: string;
}

class ActualDayDto {
  @ApiProperty({ format: 'date', description: 'The day.', example: '2026-09-14' })
  ds!: string;
  @ApiProperty({ description: 'Demand of the day; negative if more was returned than sold.', example: 12 })
  y!: number;
}

/** Stored demand of one month. */
export class ActualMonthDto {
  @ApiProperty({ format: 'date', description: 'The month, as its first day.', example: '2026-09-01' })
  month!: string;
  @ApiProperty({ description: 'Demand of the month: the uploaded total, or the sum of its days.', example: 120 })
  y!: number;
  @ApiProperty({
    type: [ActualDayDto],
    nullable: true,
    description: 'Days with demand. Null if the month was uploaded as one total.',
    example: null,
  })
  days!: ActualDayDto[] | null;
}
