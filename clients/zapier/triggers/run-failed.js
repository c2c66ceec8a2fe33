const { ofWorkspace, workspaceField } = require('../inputs');
const { listAll, lookBack } = require('../polling');

module.exports = {
  key: 'run_failed',
  noun: 'Run',
  display: { label: 'Run Failed', description: 'Triggers when a forecast run fails.' },
  operation: {
    type: 'polling',
    inputFields: [workspaceField],
    perform: (z, bundle) => listAll(z, bundle, '/runs', { status: 'failed', since: lookBack(bundle), ...ofWorkspace(bundle) }),
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000006',
      status: 'failed',
      workspace_id: '019a8f3c-0000-7000-8000-000000000001',
      trigger: 'schedule',
      progress: { series_total: 200, series_done: 0 },
      config: { horizon: 12 },
      metrics: null,
      error: { code: 'computation_failed', message: 'The forecasts could not be computed.' },
      billed: null,
      created_at: '2026-11-21T05:59:00.000Z',
      started_at: '2026-11-21T05:59:01.000Z',
      finished_at: '2026-11-21T06:00:00.000Z',
    },
  },
};
