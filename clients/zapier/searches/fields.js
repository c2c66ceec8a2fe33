/** Inputs that both searches ask for. */
const runField = { key: 'run_id', label: 'Run', required: true, dynamic: 'run_completed.id' };
const seriesField = { key: 'series_id', label: 'Series', required: true, helpText: 'The id or the unique_id of the series.' };

module.exports = { runField, seriesField };
