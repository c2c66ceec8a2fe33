const { ofWorkspace, workspaceField } = require('../inputs');
const { listAll, lookBack } = require('../polling');

module.exports = {
  key: 'run_completed',
  noun: 'Run',
  display: { label: 'Run Completed', description: 'Triggers when a forecast run completes.' },
  operation: {
    type: 'polling',
    inputFields: [workspaceField],
    perform: (z, bundle) =>
      listAll(z, bundle, '/runs', { status: 'complete', since: lookBack(bundle), ...ofWorkspace(bundle) }),
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000002',
      status: 'completed',
      workspace_id: '019a8f3c-0000-7000-8000-000000000001',
      trigger: 'api',
      progress: { series_total: 200, series_done: 200 },
      config: { horizon: 12 },
      metrics: { wape: 0.18, series_forecast: 200, newest_month: '2026-10-01' },
      error: null,
      billed: 'quota',
      created_at: '2026-11-21T05:59:00.000Z',
      started_at: '2026-11-21T05:59:01.000Z',
      finished_at: '2026-11-21T06:00:00.000Z',
    },
  },
};
