/** Inputs that both searches ask for. */
const runField = { key: 'run_id', label: 'Run', required: true, dynamic: 'completed_run.id.label' };
const seriesField = { key: 'series_id', label: 'Series', required: true, helpText: 'The id or the unique_id of the series.' };

/**
 * What is told of a series in a run, as a list of one. A series that is not found is an empty list, upon which the user of Zapier
 * says how to go on; a run that is not there, as after its workspace was deleted, is a refusal like any wrong input.
 */
const find = async (z, run, path, params) => {
  const { data, status } = await z.request({ url: path, params, skipThrowForStatus: true });
  if (status !== 404) return [{ id: `${data.run_id}:${data.series_id}`, ...data }];
  await z.request({ url: `/runs/${encodeURIComponent(run)}` });
  return [];
};

module.exports = { find, runField, seriesField };
