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
