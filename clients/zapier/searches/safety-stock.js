const { filledIn } = require('../inputs');
const { find, runField, seriesField } = require('./search');
const { targetFields } = require('./stock-target');

module.exports = {
  key: 'safety_stock',
  noun: 'Safety Stock',
  display: { label: 'Get Safety Stock', description: 'Recommends a safety stock and a reorder point for a product.' },
  operation: {
    inputFields: [
      seriesField,
      runField,
      ...targetFields,
    ],
    perform: (z, bundle) => {
      const { series_id: series, run_id: run, lead_time, lead_time_sd, service_level } = bundle.inputData;
      return find(z, run, `/runs/${encodeURIComponent(run)}/safety-stock/${encodeURIComponent(series)}`, filledIn({ lead_time, lead_time_sd, service_level }));
    },
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000002:019a8f3c-0000-7000-8000-000000000005',
      run_id: '019a8f3c-0000-7000-8000-000000000002',
      series_id: '019a8f3c-0000-7000-8000-000000000005',
      unique_id: 'SKU-1001',
      product_name: 'Espresso beans',
      unit: 'kg',
      safety_stock: 30,
      reorder_point: 150,
      lead_time_demand: 120,
      lead_time_demand_sigma: 18.2,
      undershoot: null,
      service_level: 0.95,
      lead_time: 1,
      lead_time_sd: 0,
      method: 'gamma',
      demand_pattern: 'smooth',
      assumptions: ['Lead-time demand follows a gamma distribution.'],
      warnings: [],
    },
  },
};
