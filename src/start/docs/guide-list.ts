/** A guide as others refer to it. */
interface GuideEntry {
  /** Its file in `docs`, without `.md`. */
  readonly name: string;
  /** What it is for, beside its title. */
  readonly about: string;
}

/** Guides for users of the service, in reading order; those for operators and developers stay in the repository. */
export const GUIDES: readonly { readonly title: string; readonly guides: readonly GuideEntry[] }[] = [
  {
    title: 'Use the API',
    guides: [
      { name: 'api', about: 'the first calls, keys, workspaces, and where to read on' },
      { name: 'api-demand', about: 'columns and formats, days and months, corrections, large files' },
      { name: 'api-results', about: 'which number to take, totals, overrides, accuracy, alerts, stock' },
      { name: 'api-automation', about: 'schedules, pages, idempotent requests, rate limits and quotas' },
      { name: 'api-errors', about: 'every error code and what to do' },
    ],
  },
  {
    title: 'Follow a recipe',
    guides: [
      { name: 'recipes/README', about: 'what the six tasks share' },
      { name: 'recipes/1-first-forecast', about: 'from a file to a forecast' },
      { name: 'recipes/2-safety-stock', about: 'how much to hold, and when to reorder' },
      { name: 'recipes/3-notice-changes', about: 'poll for alerts, trend changes and runs' },
      { name: 'recipes/4-page-by-page', about: 'read more rows than a page has' },
      { name: 'recipes/5-repeatable-job', about: 'no second run when a request is repeated' },
      { name: 'recipes/6-python', about: 'a script without packages' },
    ],
  },
  {
    title: 'Import demand and export results',
    guides: [
      { name: 'connectors', about: 'make a connector, and what is counted' },
      { name: 'connectors-shops', about: 'Shopify, WooCommerce, BigCommerce' },
      { name: 'connectors-accounting', about: 'QuickBooks Online, Xero' },
      { name: 'connectors-erp', about: 'Odoo, Business Central, NetSuite' },
      { name: 'connectors-syncs', about: 'when they read, and when something is wrong' },
      { name: 'odata', about: 'connect a BI tool, entity sets, queries' },
      { name: 'releases', about: 'what changed, and how to hear of it' },
    ],
  },
  {
    title: 'Evaluate the forecasts',
    guides: [
      { name: 'engine', about: 'how good it is, and how a forecast comes about' },
      { name: 'engine-accuracy', about: 'set by set, beside other methods' },
      { name: 'engine-regular-demand', about: 'demand in most months' },
      { name: 'engine-infrequent-demand', about: 'spare parts, goods of a season, orders in a cycle' },
      { name: 'engine-short-histories', about: 'less than two years' },
      { name: 'engine-odd-data', about: 'missing, incomplete and mistyped months' },
      { name: 'engine-change-and-stock', about: 'what is built on the forecasts' },
      { name: 'engine-totals', about: 'the range of the demand of several series or months' },
      { name: 'engine-network', about: 'what it computes, and its training' },
      { name: 'engine-trials', about: 'ideas that did not pay' },
      { name: 'model-card', about: 'data, settings and scores of its training' },
    ],
  },
  {
    title: 'Security and audits',
    guides: [
      { name: 'compliance', about: 'controls, evidence, the PDF for auditors' },
      { name: 'audit-log', about: 'who did what, and how to verify it' },
    ],
  },
];

/** The names of the guides, in reading order. */
export const GUIDE_NAMES: readonly string[] = GUIDES.flatMap(({ guides }) => guides.map(({ name }) => name));
