import { EXAMPLE_ID } from '../../platform/http/example-ids.js';

/** The properties that identify a series, as the responses of all modules document them. */
export const SERIES_PROPERTY = {
  series_id: { format: 'uuid', example: EXAMPLE_ID.series },
  unique_id: { example: 'SKU-1001' },
  product_name: { type: String, nullable: true, example: 'Espresso beans 1 kg' },
  unit: { type: String, nullable: true, example: 'bags' },
} as const;
