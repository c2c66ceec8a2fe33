import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { TREND_LABELS, type TrendLabel } from '../../forecasting/change/index.js';
import { nullableString } from '../../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { IsFlag } from '../../platform/http/rules/flag.js';
import { SinceQuery, TextQuery, WorkspaceQuery } from '../../platform/http/rules/narrowing-query.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { PageQueryDto } from '../../platform/http/page-query.js';
import { propertyRule } from '../../platform/http/rules/property-rule.js';
import { IsText } from '../../platform/http/rules/text.js';
import { Trimmed } from '../../platform/http/rules/trimmed.js';
import { MAX_UNIQUE_ID_LENGTH } from '../upload/row-attributes.js';
import { faultOfTarget, type StockTargetFields } from '../stock-target-fields.js';
import { SERIES_PROPERTY, TARGET_PROPERTY } from './series-properties.js';

/** Disambiguates the series, for keys with access to several workspaces. */
export class ReadSeriesDto {
  @WorkspaceQuery(
    'Workspace of the series. Required if several workspaces have this unique_id. Must be within the scope of the API key.',
  )
  workspace_id?: string;
}

/** Filters and paging of a list of series. */
export class SeriesFilterDto extends PageQueryDto {
  @TextQuery('Only series with this unique_id.', 'SKU-1001')
  unique_id?: string;

  @TextQuery('Only series in this category.', 'Coffee')
  category?: string;

  @SinceQuery(
    'Returns trend changes instead of series, only those that occurred',
    ' Cannot be combined with `unique_id` or `category`.',
  )
  trend_changed_since?: Date;
}

export class ListSeriesDto extends SeriesFilterDto {
  @WorkspaceQuery('Only series in this workspace. Must be within the scope of the API key.')
  workspace_id?: string;
}

/** One change of a series' trend label. */
export class TrendChangeDto {
  @ApiProperty({ description: 'Id of the change.', format: 'uuid', example: EXAMPLE_ID.trendChange })
  id!: string;
  @ApiProperty(SERIES_PROPERTY.series_id)
  series_id!: string;
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty(SERIES_PROPERTY.product_name)
  product_name!: string | null;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty({ enum: TREND_LABELS, description: 'The label until then.', example: 'stable' })
  previous_trend_label!: TrendLabel;
  @ApiProperty({ enum: TREND_LABELS, description: 'The label since then.', example: 'growth' })
  trend_label!: TrendLabel;
  @ApiProperty({
    format: 'date-time',
    description: 'When the run that found the change completed.',
    example: '2026-11-21T06:00:00.000Z',
  })
  changed_at!: Date;
  @ApiProperty({
    format: 'uuid',
    description: 'The run that found the change.',
    example: EXAMPLE_ID.run,
  })
  run_id!: string;
}

export class SeriesDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.series })
  id!: string;
  @ApiProperty({ description: 'Your identifier for the series.', example: 'SKU-1001' })
  unique_id!: string;
  @ApiProperty(SERIES_PROPERTY.product_name)
  product_name!: string | null;
  @ApiProperty(SERIES_PROPERTY.category)
  category!: string | null;
  @ApiProperty(SERIES_PROPERTY.unit)
  unit!: string | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Other columns of the uploads.',
    example: { warehouse: 'Hamburg' },
  })
  metadata!: Record<string, unknown>;
  @ApiProperty({
    description:
      'For important series with regular demand, shifts are reported earlier, at the cost of more false alarms.',
    example: false,
  })
  important!: boolean;
  @ApiProperty(TARGET_PROPERTY.lead_time_months)
  lead_time_months!: number | null;
  @ApiProperty(TARGET_PROPERTY.lead_time_sd_months)
  lead_time_sd_months!: number | null;
  @ApiProperty(TARGET_PROPERTY.target_service_level)
  target_service_level!: number | null;
  @ApiProperty({
    ...nullableString,
    description:
      'unique_id of the series that has replaced this one, for which its demand counts: runs do not forecast it. Null if none has.',
    example: null,
  })
  replaced_by!: string | null;
  @ApiProperty({
    type: [String],
    description:
      'unique_ids of the series that this one has replaced, at most the first 100; `Series` of the feed has all, by `replaced_by`. Their demand counts for it.',
    example: ['SKU-0901'],
  })
  replaces!: string[];
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'First month with stored demand, which may be 0, as its first day. Null if there is none.',
    example: '2023-01-01',
  })
  first_month!: string | null;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'Last month with stored demand, which may be 0, as its first day. Null if there is none.',
    example: '2026-10-01',
  })
  last_month!: string | null;
  @ApiProperty({ type: 'integer', description: 'Number of months with stored demand, which may be 0.', example: 46 })
  observations!: number;
  @ApiProperty({
    type: String,
    enum: TREND_LABELS,
    nullable: true,
    description: 'The trend according to the runs so far. Null before the first run.',
    example: 'growth',
  })
  trend_label!: TrendLabel | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
  @ApiProperty({
    format: 'date-time',
    description: 'When the attributes of the series last changed. Changes of demand do not count.',
  })
  updated_at!: Date;
}

const IsTarget = (field: keyof StockTargetFields): PropertyDecorator =>
  propertyRule('isTarget', (value) => faultOfTarget(field, value));

/** Corrections to a series; null removes a text or a target. Demand and unique_id are changed only by uploads. */
export class EditSeriesDto {
  @OptionalProperty({
    ...nullableString,
    description: 'New name of the product. Null removes it.',
    example: 'Espresso beans 1 kg',
  })
  @IsText({ max: 500 })
  @Trimmed()
  product_name?: string | null;

  @OptionalProperty({
    ...nullableString,
    description: 'New category. Null removes it.',
    example: 'Coffee',
  })
  @IsText({ max: 255 })
  @Trimmed()
  category?: string | null;

  @OptionalProperty({
    ...nullableString,
    description: 'New unit of the quantities. Null removes it.',
    example: 'bags',
  })
  @IsText({ max: 50 })
  @Trimmed()
  unit?: string | null;

  @OptionalProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Replaces all metadata. At most 50 members; empty and null ones are dropped.',
  })
  @IsObject()
  metadata?: Record<string, unknown>;

  @OptionalProperty({
    description: 'Report shifts of this series earlier if its demand is regular, at the cost of more false alarms.',
    example: true,
  })
  @IsFlag()
  important?: boolean;

  @OptionalProperty({
    ...nullableString,
    description:
      'unique_id of the series that replaces this one, in the same workspace: a successor product, or the same under a new number. Null if none does.',
    example: 'SKU-1001',
  })
  @IsText({ max: MAX_UNIQUE_ID_LENGTH })
  @Trimmed()
  replaced_by?: string | null;

  @OptionalProperty(TARGET_PROPERTY.lead_time_months)
  @IsTarget('lead_time_months')
  lead_time_months?: number | null;

  @OptionalProperty(TARGET_PROPERTY.lead_time_sd_months)
  @IsTarget('lead_time_sd_months')
  lead_time_sd_months?: number | null;

  @OptionalProperty(TARGET_PROPERTY.target_service_level)
  @IsTarget('target_service_level')
  target_service_level?: number | null;
}
