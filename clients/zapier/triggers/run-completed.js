const { ofWorkspace, workspaceField } = require('../inputs');
const { listAll, lookBack } = require('../polling');

module.exports = {
  key: 'run_completed',
  noun: 'Run',
  display: { label: 'Run Completed', description: 'Triggers when a forecast run has completed.' },
  operation: {
    type: 'polling',
    inputFields: [workspaceField],
    perform: (z, bundle) =>
      listAll(z, bundle, '/runs', { status: 'complete', since: lookBack(), ...ofWorkspace(bundle) }),
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000002',
      status: 'completed',
      workspace_id: '019a8f3c-0000-7000-8000-000000000001',
      finished_at: '2026-11-21T06:00:00.000Z',
    },
  },
};
