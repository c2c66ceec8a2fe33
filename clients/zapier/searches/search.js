/** Inputs that several searches ask for. */
const runField = { key: 'run_id', label: 'Run', required: true, dynamic: 'completed_run.id.label' };
const seriesField = { key: 'series_id', label: 'Series', required: true, helpText: 'The id or the unique_id of the series.' };
const categoryField = { key: 'category', label: 'Category', required: false, helpText: 'Only series in this category. By default, all.' };

/**
 * The reply of the service about a series in a run. A series that is not found is undefined, upon which the user of Zapier says how to
 * go on; a run that is not there, as after its workspace was deleted, is a refusal like any wrong input.
 */
const ask = async (z, run, path, params) => {
  const response = await z.request({ url: path, params, skipThrowForStatus: true });
  if (response.status !== 404) return response;
  await z.request({ url: `/runs/${encodeURIComponent(run)}` });
  return undefined;
};

/** What is told of a series in a run, as a list of one, or of none if the series is not found. */
const find = async (z, run, path, params) => {
  const response = await ask(z, run, path, params);
  return response === undefined ? [] : [{ id: `${response.data.run_id}:${response.data.series_id}`, ...response.data }];
};

module.exports = { ask, categoryField, find, runField, seriesField };
