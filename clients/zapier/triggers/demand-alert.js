const { ofWorkspace, workspaceField } = require('../inputs');
const { listAll, lookBack } = require('../polling');

module.exports = {
  key: 'demand_alert',
  noun: 'Alert',
  display: { label: 'Demand Alert', description: 'Triggers when a run finds that the demand of a product shifted.' },
  operation: {
    type: 'polling',
    inputFields: [workspaceField],
    perform: (z, bundle) => listAll(z, bundle, '/alerts', { unread: true, since: lookBack(), ...ofWorkspace(bundle) }),
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000003',
      kind: 'level_shift_up',
      unique_id: 'SKU-1001',
      severity: 'high',
      message: 'Demand rose.',
      created_at: '2026-11-21T06:00:00.000Z',
    },
  },
};
