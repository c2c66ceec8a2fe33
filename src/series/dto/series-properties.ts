import { EXAMPLE_ID } from '../../platform/http/example-ids.js';

/** What tells a series apart, as the replies of all modules document it. */
export const SERIES_PROPERTY = {
  series_id: { format: 'uuid', example: EXAMPLE_ID.series },
  unique_id: { example: 'SKU-1001' },
  product_name: { type: String, nullable: true, example: 'Espresso beans 1 kg' },
  unit: { type: String, nullable: true, example: 'bags' },
} as const;
