/** No trigger of its own: the choices of the workspace field. */
module.exports = {
  key: 'workspace',
  noun: 'Workspace',
  display: { label: 'List of Workspaces', description: 'Workspaces that the API key can access.', hidden: true },
  operation: {
    type: 'polling',
    perform: async (z) => (await z.request({ url: '/workspaces' })).data,
    sample: {
      id: '019a8f3c-0000-7000-8000-000000000001',
      name: 'Retail',
      time_zone: 'Europe/Berlin',
      created_at: '2026-11-01T08:00:00.000Z',
    },
  },
};
