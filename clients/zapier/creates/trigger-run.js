const { filledIn, ofWorkspace, workspaceField } = require('../inputs');

module.exports = {
  key: 'trigger_run',
  noun: 'Run',
  display: { label: 'Trigger Run', description: 'Starts a forecast run; it counts against the monthly quota.' },
  operation: {
    inputFields: [
      workspaceField,
      { key: 'horizon', label: 'Months to forecast', type: 'integer', required: false, helpText: '1 to 36.' },
    ],
    perform: async (z, bundle) => {
      const { horizon } = filledIn({ horizon: bundle.inputData.horizon });
      const response = await z.request({
        method: 'POST',
        url: `${bundle.authData.base_url}/forecasts`,
        // Zapier repeats an action whose reply was lost; within one execution that must stay one run
        headers: bundle.meta?.zap?.id ? { 'Idempotency-Key': z.hash('sha256', `${bundle.meta.zap.id}:${bundle.meta.timestamp ?? Date.now()}`) } : {},
        body: { ...ofWorkspace(bundle), ...(horizon !== undefined ? { config_overrides: { horizon: Number(horizon) } } : {}) },
      });
      return response.data;
    },
    sample: { id: '019a8f3c-0000-7000-8000-000000000002', status: 'queued' },
  },
};
