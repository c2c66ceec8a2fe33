const { filledIn } = require('../inputs');
const { runField, seriesField } = require('./fields');

module.exports = {
  key: 'safety_stock',
  noun: 'Safety Stock',
  display: { label: 'Get Safety Stock', description: 'Recommends safety stock and reorder point of one product.' },
  operation: {
    inputFields: [
      seriesField,
      runField,
      { key: 'lead_time', label: 'Lead time (months)', type: 'number', required: false },
      { key: 'service_level', label: 'Service level', type: 'number', required: false, helpText: '0.5 to 0.999.' },
    ],
    perform: async (z, bundle) => {
      const { series_id: series, run_id: run, lead_time, service_level } = bundle.inputData;
      const url = `${bundle.authData.base_url}/runs/${run}/safety-stock/${encodeURIComponent(series)}`;
      const { data } = await z.request({ url, params: filledIn({ lead_time, service_level }) });
      return [{ id: `${data.run_id}:${data.series_id}`, ...data }];
    },
    sample: { id: '1', safety_stock: 12, reorder_point: 150 },
  },
};
