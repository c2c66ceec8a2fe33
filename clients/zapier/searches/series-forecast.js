const { find, runField, seriesField } = require('./search');

module.exports = {
  key: 'series_forecast',
  noun: 'Forecast',
  display: { label: 'Get Series Forecast', description: 'Gets the forecast of a product in plain language.' },
  operation: {
    inputFields: [seriesField, runField],
    perform: (z, bundle) => {
      const { series_id: series, run_id } = bundle.inputData;
      return find(z, run_id, `/series/${encodeURIComponent(series)}/forecast`, { run_id, apply_overrides: true });
    },
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000002:019a8f3c-0000-7000-8000-000000000005',
      run_id: '019a8f3c-0000-7000-8000-000000000002',
      series_id: '019a8f3c-0000-7000-8000-000000000005',
      unique_id: 'SKU-1001',
      product_name: 'Espresso beans',
      period: '2026-11-01',
      best_estimate: 120,
      low_estimate: 100,
      high_estimate: 140,
      mean: 121,
      final: 130,
      unit: 'kg',
      trend_label: 'stable',
      accuracy_score: 88.5,
      summary: 'Expect about 120 kg in November 2026, and with four chances in five between 100 and 140. Demand is stable.',
      months: [{ period: '2026-11-01', best_estimate: 120, low_estimate: 100, high_estimate: 140, mean: 121, final: 130 }],
    },
  },
};
