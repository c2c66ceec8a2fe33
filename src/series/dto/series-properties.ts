import { MAX_HORIZON } from '../../forecasting/index.js';
import { SERVICE_LEVEL_RANGE } from '../../inventory/index.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';

/** The properties that identify a series, as the responses of all modules document them. */
export const SERIES_PROPERTY = {
  series_id: { description: 'Id of the series.', format: 'uuid', example: EXAMPLE_ID.series },
  unique_id: { description: 'Identifier of the series, as uploaded.', example: 'SKU-1001' },
  product_name: {
    type: String,
    nullable: true,
    description: 'Name of the product. Null if it has none.',
    example: 'Espresso beans 1 kg',
  },
  category: {
    type: String,
    nullable: true,
    description: 'Category of the series. Null if it has none.',
    example: 'Coffee',
  },
  unit: { type: String, nullable: true, description: 'Unit of the quantities. Null if it has none.', example: 'bags' },
} as const;

/** How a series is stocked; null stands for the default. */
export const TARGET_PROPERTY = {
  lead_time_months: {
    type: Number,
    nullable: true,
    exclusiveMinimum: true,
    minimum: 0,
    maximum: MAX_HORIZON,
    description: 'Lead time in months, from order to delivery, for safety stock. Null for 1.',
    example: 1.5,
  },
  lead_time_sd_months: {
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: MAX_HORIZON,
    description: 'Standard deviation of lead times in months. Null for 0.',
    example: 0.25,
  },
  target_service_level: {
    type: Number,
    nullable: true,
    minimum: SERVICE_LEVEL_RANGE.min,
    maximum: SERVICE_LEVEL_RANGE.max,
    description: 'Cycle service level for safety stock. Null for 0.95.',
    example: 0.98,
  },
} as const;
