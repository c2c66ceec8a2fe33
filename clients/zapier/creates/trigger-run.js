const { filledIn, ofWorkspace, workspaceField } = require('../inputs');

module.exports = {
  key: 'trigger_run',
  noun: 'Run',
  display: { label: 'Trigger Run', description: 'Starts a forecast run, which counts against the monthly quota.' },
  operation: {
    inputFields: [
      workspaceField,
      { key: 'horizon', label: 'Months to forecast', type: 'integer', required: false, helpText: 'From 1 to 36.' },
      {
        key: 'idempotency_key',
        label: 'Idempotency key',
        required: false,
        // Zapier gives an action nothing of its own that stays the same when a step is repeated
        helpText: 'A value that identifies the event, such as the id from the trigger. For a day, the same key starts only one run, however often this step is repeated.',
      },
    ],
    perform: async (z, bundle) => {
      const { horizon, idempotency_key: key } = filledIn(bundle.inputData);
      const response = await z.request({
        method: 'POST',
        url: '/forecasts',
        headers: key === undefined ? {} : { 'Idempotency-Key': z.hash('sha256', String(key)) },
        body: { ...ofWorkspace(bundle), ...(horizon !== undefined ? { config_overrides: { horizon: Number(horizon) } } : {}) },
      });
      return response.data;
    },
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000002',
      status: 'queued',
      workspace_id: '019a8f3c-0000-7000-8000-000000000001',
      trigger: 'api',
      progress: { series_total: 0, series_done: 0 },
      config: { horizon: 12 },
      metrics: null,
      error: null,
      billed: 'quota',
      created_at: '2026-11-21T05:59:00.000Z',
      started_at: null,
      finished_at: null,
    },
  },
};
