const { ofWorkspace, workspaceField } = require('../inputs');
const { listAll, lookBack } = require('../polling');

module.exports = {
  key: 'trend_changed',
  noun: 'Trend Change',
  display: { label: 'Trend Changed', description: 'Triggers when the demand trend of a product changes.' },
  operation: {
    type: 'polling',
    inputFields: [workspaceField],
    perform: (z, bundle) => listAll(z, bundle, '/series', { trend_changed_since: lookBack(bundle), ...ofWorkspace(bundle) }),
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000004',
      series_id: '019a8f3c-0000-7000-8000-000000000005',
      unique_id: 'SKU-1001',
      product_name: 'Espresso beans',
      workspace_id: '019a8f3c-0000-7000-8000-000000000001',
      previous_trend_label: 'stable',
      trend_label: 'growth',
      changed_at: '2026-11-21T06:00:00.000Z',
      run_id: '019a8f3c-0000-7000-8000-000000000002',
    },
  },
};
