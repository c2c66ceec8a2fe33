const { filledIn, workspaceField } = require('../inputs');
const { latestRun } = require('./latest-run');
const { ask, categoryField, runField } = require('./search');

module.exports = {
  key: 'totals',
  noun: 'Totals',
  display: { label: 'Get Totals', description: 'Forecasts the demand of each category or of the whole workspace, with the range of the total.' },
  operation: {
    inputFields: [
      { ...runField, required: false, helpText: 'By default, the latest run of all series.' },
      workspaceField,
      { key: 'group_by', label: 'Totals of', required: false, choices: { category: 'Each category', workspace: 'The whole workspace' }, default: 'category' },
      categoryField,
      { key: 'from', label: 'First month', required: false, helpText: 'YYYY-MM' },
      { key: 'to', label: 'Last month', required: false, helpText: 'YYYY-MM' },
      { key: 'sum_months', label: 'Sum of the months', type: 'boolean', required: false, helpText: 'One total for all months instead of one for each.' },
    ],
    perform: async (z, bundle) => {
      const { run_id, group_by, category, from, to, sum_months } = filledIn(bundle.inputData);
      const run = run_id ?? (await latestRun(z, bundle));
      const filter = filledIn({ group_by, category, from, to, sum_months });
      const response = await ask(z, run, `/runs/${encodeURIComponent(run)}/totals`, { ...filter, apply_overrides: true });
      if (response.data.length === 0) return [];
      return [{ id: [run, ...Object.values(filter)].join(':'), run_id: run, totals: response.data }];
    },
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000002:category',
      run_id: '019a8f3c-0000-7000-8000-000000000002',
      totals: [
        { category: 'Coffee', unit: 'bags', ds: '2026-12-01', months: 1, series: 24, q10: 2270, q50: 2490.5, q90: 2731.2, mean: 2496.4, final: 2610 },
      ],
    },
  },
};
