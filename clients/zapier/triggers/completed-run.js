/** No trigger of its own: the choices of the run field, told apart by what they forecast. */
module.exports = {
  key: 'completed_run',
  noun: 'Completed Run',
  display: { label: 'List of Completed Runs', description: 'The newest completed runs.', hidden: true },
  operation: {
    type: 'polling',
    perform: async (z) => {
      const workspaces = (await z.request({ url: '/workspaces' })).data;
      const runs = (await z.request({ url: '/runs', params: { status: 'complete', limit: 100 } })).data;
      const names = new Map(workspaces.map(({ id, name }) => [id, name]));
      return runs.map(({ id, workspace_id, finished_at, progress, config }) => {
        const time = finished_at.slice(0, 16).replace('T', ' ');
        const cutoff = config.cutoff === null ? '' : `, up to ${config.cutoff}`;
        return { id, label: `${names.get(workspace_id)}: ${time} UTC, ${progress.series_done} series${cutoff}` };
      });
    },
    sample: { id: '019a8f3c-0000-7000-8000-000000000002', label: 'Retail: 2026-11-21 06:00 UTC, 200 series' },
  },
};
