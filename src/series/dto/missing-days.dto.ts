import { ApiProperty } from '@nestjs/swagger';

/** Consecutive days that were probably not uploaded. */
export class MissingDaysDto {
  @ApiProperty({ format: 'date', description: 'The first of the days.', example: '2026-10-08' })
  from!: string;
  @ApiProperty({ format: 'date', description: 'The last of the days.', example: '2026-10-14' })
  to!: string;
}
