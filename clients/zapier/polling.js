/** How far back a poll looks. Zapier drops the ids it has seen, so looking back far enough misses nothing. */
const LOOK_BACK_DAYS = 3;
/** Milliseconds after which a poll fails and says why: Zapier breaks it off after 30 seconds, without a reason. */
const MAX_POLL_MS = 25_000;
/** Items a page: as many as every list of the service gives, since a run of many products raises many alerts at once. */
const MAX_PAGE = 500;

/** Whether people look on, in the editor: they want something to choose or to test with, however long ago it was. */
const isEditing = ({ meta }) => meta?.isLoadingSample === true || meta?.isFillingDynamicDropdown === true;

/** Time from which a list is read. */
const lookBack = (bundle) =>
  isEditing(bundle) ? '2000-01-01T00:00:00.000Z' : new Date(Date.now() - LOOK_BACK_DAYS * 86_400_000).toISOString();

/** All pages of a list, newest first, by the Link header; the first alone in the editor. What a poll leaves out would never be told. */
const listAll = async (z, bundle, path, params) => {
  const begun = performance.now();
  const items = [];
  let url = path;
  let query = { ...params, limit: MAX_PAGE };
  while (url !== undefined) {
    if (performance.now() - begun > MAX_POLL_MS) throw new z.errors.Error(tooMany(items.length));
    const response = await z.request({ url, params: query });
    items.push(...response.data);
    const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    url = next && new URL(next, bundle.authData.base_url).href;
    query = undefined;
    if (isEditing(bundle)) break;
  }
  return items;
};

const tooMany = (read) =>
  `The last ${LOOK_BACK_DAYS} days have more events than can be read within Zapier's limit of 30 seconds: ${read} were read, and there are more. ` +
  'Choose a workspace to reduce the number of events.';

module.exports = { listAll, lookBack };
