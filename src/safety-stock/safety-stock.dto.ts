import { ApiProperty } from '@nestjs/swagger';
import { IsNumber, IsPositive, Max, Min } from 'class-validator';
import { DEMAND_PATTERNS, type DemandPattern, MAX_HORIZON } from '../forecasting/index.js';
import { LEAD_TIME_DISTRIBUTIONS, type LeadTimeDistribution, SERVICE_LEVEL_RANGE } from '../inventory/index.js';
import { EXAMPLE_ID } from '../platform/http/openapi/example-ids.js';
import { OptionalProperty } from '../platform/http/rules/optional-property.js';
import { QueryNumber } from '../platform/http/rules/query-number.js';
import { SERIES_PROPERTY } from '../series/index.js';

const { min, max } = SERVICE_LEVEL_RANGE;
const LEVEL = { message: `must be a number from ${min} to ${max}` };
const LEAD_TIME = { message: 'must be a number of months greater than 0, up to the horizon of the run' };

const LEAD_TIME_SD = { message: 'must be a number of months from 0 to lead_time' };

export class SafetyStockQueryDto {
  @OptionalProperty({
    description:
      'Lead time in months, from order to delivery; its mean if it varies. Must be greater than 0, up to the horizon of the run. Fractions are allowed. By default that of the series, or 1.0.',
    type: Number,
    exclusiveMinimum: true,
    minimum: 0,
    maximum: MAX_HORIZON,
    example: 1.5,
  })
  @QueryNumber()
  @IsNumber({ allowInfinity: false, allowNaN: false }, LEAD_TIME)
  @IsPositive(LEAD_TIME)
  @Max(MAX_HORIZON, LEAD_TIME)
  lead_time?: number;

  @OptionalProperty({
    description:
      'Cycle service level: the probability that a replenishment cycle passes without a stockout. By default that of the series, or 0.95.',
    type: Number,
    minimum: min,
    maximum: max,
  })
  @QueryNumber()
  @IsNumber({ allowInfinity: false, allowNaN: false }, LEVEL)
  @Min(min, LEVEL)
  @Max(max, LEVEL)
  service_level?: number;

  @OptionalProperty({
    description:
      'Standard deviation of lead times in months: how much deliveries vary. At most `lead_time`, and `lead_time` plus twice this ' +
      'must be within the horizon of the run. A week is 0.23 months. By default that of the series, or 0.',
    type: Number,
    minimum: 0,
    maximum: MAX_HORIZON,
    example: 0.25,
  })
  @QueryNumber()
  @IsNumber({ allowInfinity: false, allowNaN: false }, LEAD_TIME_SD)
  @Min(0, LEAD_TIME_SD)
  @Max(MAX_HORIZON, LEAD_TIME_SD)
  lead_time_sd?: number;
}

/** Safety stock and reorder point of one series. */
export class SafetyStockDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.run })
  run_id!: string;
  @ApiProperty(SERIES_PROPERTY.series_id)
  series_id!: string;
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty(SERIES_PROPERTY.product_name)
  product_name!: string | null;
  @ApiProperty({ description: 'Stock to hold in addition to the expected lead-time demand.', example: 46.2 })
  safety_stock!: number;
  @ApiProperty({ description: 'Inventory position at which to order.', example: 250.7 })
  reorder_point!: number;
  @ApiProperty({ description: 'Expected demand over the lead time.', example: 204.5 })
  lead_time_demand!: number;
  @ApiProperty({
    description:
      'Standard deviation of the forecast error over the lead time, with what the length of lead times adds to it.',
    example: 28.1,
  })
  lead_time_demand_sigma!: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'How far stock is below the reorder point on average when an order is placed, since the demand of a day takes it there: part of ' +
      '`safety_stock`. Null if the demand of the run is not known by day.',
    example: 3.4,
  })
  undershoot!: number | null;
  @ApiProperty({ description: 'Cycle service level, as requested or of the series.', example: 0.95 })
  service_level!: number;
  @ApiProperty({ description: 'Lead time in months, as requested or of the series.', example: 1.5 })
  lead_time!: number;
  @ApiProperty({
    description: 'Standard deviation of lead times in months, as requested or of the series.',
    example: 0.25,
  })
  lead_time_sd!: number;
  @ApiProperty({
    description:
      'Distribution of the lead-time demand: `compound_poisson` of rare orders of several pieces or of what is measured, `none` if no demand is expected.',
    enum: LEAD_TIME_DISTRIBUTIONS,
    example: 'gamma',
  })
  method!: LeadTimeDistribution;
  @ApiProperty({ enum: DEMAND_PATTERNS, description: 'As in `metrics.patterns` of the run.', example: 'smooth' })
  demand_pattern!: DemandPattern;
  @ApiProperty(SERIES_PROPERTY.unit)
  unit!: string | null;
  @ApiProperty({
    type: [String],
    description: 'The assumptions behind the figures.',
    example: ['Lead-time demand follows a gamma distribution.'],
  })
  assumptions!: readonly string[];
  @ApiProperty({
    type: [String],
    description: 'Reasons to trust the figures less than usual, and overrides that are not included.',
    example: [],
  })
  warnings!: readonly string[];
}
