import { ApiProperty } from '@nestjs/swagger';
import { DEMAND_PATTERNS, type DemandPattern } from '../../../forecasting/index.js';
import { PageCursor, PageLimit, type PageSize } from '../../../platform/http/page-query.js';
import { SERIES_PROPERTY } from '../../../series/index.js';
import { AccuracyDto } from '../../dto/accuracy.dto.js';
import { MODEL_PROPERTY } from '../../dto/model-property.js';
import { OnlyCategory, OnlySeries } from '../../dto/only-series.js';

const METRICS_PAGE: PageSize = { max: 500, default: 100 };

export class SeriesMetricsQueryDto {
  @OnlySeries()
  series_id?: string;

  @OnlyCategory()
  category?: string;

  @PageLimit(METRICS_PAGE, 'Series')
  limit = METRICS_PAGE.default;

  @PageCursor()
  cursor?: string;
}

/** How well a run forecast a series in its backtest, and with what. */
export class SeriesMetricsDto extends AccuracyDto {
  @ApiProperty(SERIES_PROPERTY.series_id)
  series_id!: string;
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty(SERIES_PROPERTY.product_name)
  product_name!: string | null;
  @ApiProperty(MODEL_PROPERTY)
  model!: string;
  @ApiProperty({ enum: DEMAND_PATTERNS, description: 'As in `metrics.patterns` of the run.', example: 'smooth' })
  demand_pattern!: DemandPattern;
  @ApiProperty({
    type: 'integer',
    description: 'Number of observed months that the backtest compared, including those without demand.',
    example: 12,
  })
  backtest_months!: number;
}
