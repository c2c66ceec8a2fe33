const { filledIn, workspaceField } = require('../inputs');
const { latestRun } = require('./latest-run');
const { ask, categoryField, runField, seriesField } = require('./search');

/** One reply of the service has at most as many. */
const MAX_ROWS = 10_000;

module.exports = {
  key: 'forecast_rows',
  noun: 'Forecast Rows',
  display: { label: 'Get Forecast Rows', description: 'Gets the forecast rows of a run, one for each series and month.' },
  operation: {
    inputFields: [
      { ...runField, required: false, helpText: 'By default, the latest run of all series.' },
      workspaceField,
      { ...seriesField, required: false, helpText: 'The id or the unique_id of the series. By default, all series of the run.' },
      categoryField,
      { key: 'from', label: 'First month', required: false, helpText: 'YYYY-MM' },
      { key: 'to', label: 'Last month', required: false, helpText: 'YYYY-MM' },
      { key: 'limit', label: 'Limit', type: 'integer', required: false, default: '500', helpText: `Maximum number of rows, from 1 to ${MAX_ROWS}.` },
    ],
    perform: async (z, bundle) => {
      const { run_id, series_id, category, from, to, limit } = filledIn(bundle.inputData);
      const run = run_id ?? (await latestRun(z, bundle));
      const filter = filledIn({ series_id, category, from, to });
      const params = { ...filter, ...filledIn({ limit }), apply_overrides: true };
      const response = await ask(z, run, `/runs/${encodeURIComponent(run)}/forecasts`, params);
      if (response === undefined || response.data.length === 0) return [];
      const has_more = response.headers.get('link') !== null;
      return [{ id: [run, ...Object.values(filter)].join(':'), run_id: run, has_more, rows: response.data }];
    },
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000002:SKU-1001',
      run_id: '019a8f3c-0000-7000-8000-000000000002',
      has_more: false,
      rows: [
        {
          unique_id: 'SKU-1001',
          ds: '2026-11-01',
          q10: 100,
          q50: 120,
          q90: 140,
          mean: 121,
          final: 130,
          product_name: 'Espresso beans',
          category: 'Coffee',
          unit: 'kg',
          model: 'combination',
          metadata: {},
        },
      ],
    },
  },
};
