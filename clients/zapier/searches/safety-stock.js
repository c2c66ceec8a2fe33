const { filledIn } = require('../inputs');
const { find, runField, seriesField } = require('./search');
const { sample, targetFields } = require('./stock');

module.exports = {
  key: 'safety_stock',
  noun: 'Safety Stock',
  display: { label: 'Get Safety Stock', description: 'Recommends a safety stock and a reorder point for a product.' },
  operation: {
    inputFields: [seriesField, runField, ...targetFields],
    perform: (z, bundle) => {
      const { series_id: series, run_id: run, lead_time, lead_time_sd, service_level } = bundle.inputData;
      return find(z, run, `/runs/${encodeURIComponent(run)}/safety-stock/${encodeURIComponent(series)}`, filledIn({ lead_time, lead_time_sd, service_level }));
    },
    sample: { id: `${sample.run_id}:${sample.series_id}`, ...sample },
  },
};
