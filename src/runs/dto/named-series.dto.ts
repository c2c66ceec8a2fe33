import { ApiProperty } from '@nestjs/swagger';
import { SERIES_PROPERTY } from '../../series/index.js';

/** A series' identifiers, as the first members of a reply. */
export class NamedSeriesDto {
  @ApiProperty(SERIES_PROPERTY.series_id)
  series_id!: string;
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
}

/** The same with its description for people. */
export class DescribedSeriesDto extends NamedSeriesDto {
  @ApiProperty(SERIES_PROPERTY.product_name)
  product_name!: string | null;
  @ApiProperty(SERIES_PROPERTY.unit)
  unit!: string | null;
}
