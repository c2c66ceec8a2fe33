const { runField, seriesField } = require('./fields');

module.exports = {
  key: 'series_forecast',
  noun: 'Forecast',
  display: { label: 'Get Series Forecast', description: 'Reads the forecast of one product in plain language.' },
  operation: {
    inputFields: [seriesField, runField],
    perform: async (z, bundle) => {
      const { series_id: series, run_id } = bundle.inputData;
      const url = `${bundle.authData.base_url}/series/${encodeURIComponent(series)}/forecast`;
      const { data } = await z.request({ url, params: { run_id } });
      return [{ id: `${data.run_id}:${data.series_id}`, ...data }];
    },
    sample: { id: '1', product_name: 'Espresso beans', best_estimate: 120, low_estimate: 100, high_estimate: 140 },
  },
};
