const { ofWorkspace, workspaceField } = require('../inputs');
const { listAll, lookBack } = require('../polling');

module.exports = {
  key: 'demand_alert',
  noun: 'Alert',
  display: { label: 'Demand Alert', description: 'Triggers when a run finds a shift in the demand of a product.' },
  operation: {
    type: 'polling',
    inputFields: [workspaceField],
    perform: (z, bundle) => listAll(z, bundle, '/alerts', { unread: true, since: lookBack(bundle), ...ofWorkspace(bundle) }),
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000003',
      workspace_id: '019a8f3c-0000-7000-8000-000000000001',
      series_id: '019a8f3c-0000-7000-8000-000000000005',
      unique_id: 'SKU-1001',
      product_name: 'Espresso beans',
      kind: 'level_shift_up',
      severity: 'medium',
      message: 'Demand has been 38 % higher than expected since August 2026: 165 a month over the first 3 months against 120.',
      change_percent: 38,
      period: '2026-10-01',
      run_id: '019a8f3c-0000-7000-8000-000000000002',
      created_at: '2026-11-21T06:00:00.000Z',
      read_at: null,
    },
  },
};
