const { ofWorkspace } = require('../inputs');

/**
 * Id of the latest run of all series, which the feed marks: the run that completed last may be one of a few series, or up to a past month.
 * @throws an error that says what to do if there is none yet, or one in each of several workspaces
 */
const latestRun = async (z, bundle) => {
  const { workspace_id: workspace } = ofWorkspace(bundle);
  const feed = bundle.authData.base_url.trim().replace(/(\/api\/v1)?\/*$/, '/odata/v4');
  const filter = `is_latest eq true${workspace === undefined ? '' : ` and workspace_id eq ${workspace}`}`;
  const { data } = await z.request({ url: `${feed}/Runs`, params: { $filter: filter, $select: 'id', $top: 2 } });
  const [latest, another] = data.value;
  if (latest === undefined) throw new z.errors.Error('No run of all series has completed yet. Start one first.', 'no_completed_run', 404);
  if (another !== undefined) throw new z.errors.Error('Choose a workspace or a run: the API key can access several workspaces.', 'workspace_required', 400);
  return latest.id;
};

module.exports = { latestRun };
