const { filledIn, workspaceField } = require('../inputs');
const { latestRun } = require('./latest-run');
const { ask, categoryField, runField } = require('./search');
const { sample, targetFields } = require('./stock');

/** One reply of the service has at most as many. */
const MAX_SERIES = 500;

module.exports = {
  key: 'safety_stocks',
  noun: 'Safety Stock',
  display: { label: 'List Safety Stock', description: 'Recommends a safety stock and a reorder point for each product of a run.' },
  operation: {
    inputFields: [
      { ...runField, required: false, helpText: 'By default, the latest run of all series.' },
      workspaceField,
      categoryField,
      ...targetFields,
      { key: 'limit', label: 'Limit', type: 'integer', required: false, default: String(MAX_SERIES), helpText: `Maximum number of products, from 1 to ${MAX_SERIES}.` },
    ],
    perform: async (z, bundle) => {
      const { run_id, category, lead_time, lead_time_sd, service_level, limit } = filledIn(bundle.inputData);
      const run = run_id ?? (await latestRun(z, bundle));
      const asked = filledIn({ category, lead_time, lead_time_sd, service_level });
      const response = await ask(z, run, `/runs/${encodeURIComponent(run)}/safety-stock`, { ...asked, limit: limit ?? MAX_SERIES });
      if (response.data.length === 0) return [];
      const has_more = response.headers.get('link') !== null;
      return [{ id: [run, ...Object.values(asked)].join(':'), run_id: run, has_more, stocks: response.data }];
    },
    sample: {
      id: sample.run_id,
      run_id: sample.run_id,
      has_more: false,
      stocks: [sample],
    },
  },
};
