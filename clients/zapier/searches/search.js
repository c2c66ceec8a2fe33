/** Inputs that both searches ask for. */
const runField = { key: 'run_id', label: 'Run', required: true, dynamic: 'run_completed.id.finished_at' };
const seriesField = { key: 'series_id', label: 'Series', required: true, helpText: 'The id or the unique_id of the series.' };

/** What is at the path, as a list of one; nothing found is an empty list, upon which the user of Zapier says how to go on. */
const find = async (z, path, params) => {
  const { data, status } = await z.request({ url: path, params, skipThrowForStatus: true });
  return status === 404 ? [] : [{ id: `${data.run_id}:${data.series_id}`, ...data }];
};

module.exports = { find, runField, seriesField };
