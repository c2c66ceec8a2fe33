/** What safety stock is for: what is stored with the series, as far as none is given. */
const targetFields = [
  { key: 'lead_time', label: 'Lead time (months)', type: 'number', required: false },
  { key: 'lead_time_sd', label: 'Standard deviation of lead times (months)', type: 'number', required: false, helpText: 'How much deliveries vary. A week is 0.23 months.' },
  { key: 'service_level', label: 'Service level', type: 'number', required: false, helpText: 'From 0.5 to 0.999.' },
];

const sample = {
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
};

module.exports = { sample, targetFields };
