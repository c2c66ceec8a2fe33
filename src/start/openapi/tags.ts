/** What each tag of the OpenAPI document is about, in the order in which a reader meets them. */
const TAGS: Readonly<Record<string, string>> = {
  Demand: 'Upload demand as CSV, JSON or NDJSON and follow large imports.',
  Series: 'Product series of a workspace, their trend changes and plain-language forecasts.',
  Runs: 'Start forecast runs, poll them to their end, cancel them.',
  Forecasts: 'Results of completed runs: quantiles a series and month, metrics a series.',
  'Safety stock': 'Safety stock and reorder points from the forecast distribution of a run.',
  'Demand sensing': 'The month in progress, blended from the forecast and the actuals to date.',
  'Forecast changes': 'Why the forecast changed from one run to the next.',
  Alerts: 'Shifts, spikes and drops of demand that a run found.',
  Usage: 'Runs used of the monthly quota.',
  OData: 'The same data as an OData v4 feed for BI tools.',
  'Workspace data': 'Demand and series of a workspace, for its signed-in members.',
  'Workspace runs': 'Runs of a workspace, their results and alerts, for its signed-in members.',
  Overrides: 'Manual changes to forecasts by series and month, with their history.',
  Schedule: 'Runs that start by themselves every month.',
  Connectors: 'Scheduled and pushed demand from shops, accounting and ERP systems.',
  Webhooks: 'Notifications from shops, authenticated by a signature over the body.',
  'Sign-in': 'Sign in, sign out, and who is signed in.',
  Organizations: 'Organizations, their plan, workspaces and members.',
  'API keys': 'Make, rotate and revoke keys of the public API.',
  'Audit log': 'Who did what, in a chain that shows tampering.',
  Compliance: 'SOC 2 readiness of the platform and of an organization.',
  Community: 'The forum of signed-in users.',
  'Community moderation': 'Pin, lock and hide, for operators of the platform.',
  Releases: 'Releases of the product and the changelog.',
  Notifications: 'What a signed-in user has not read yet.',
  Operation: 'What operators of the platform need to run it.',
  Health: 'Whether the process lives and is ready for requests.',
};

/** The tags that operations use, each with its description; one that is not described here is a mistake a test finds. */
export function describeTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  const known = Object.entries(TAGS).filter(([name]) => used.has(name));
  const unknown = [...used].filter((name) => !(name in TAGS)).sort();
  return [...known, ...unknown.map((name): [string, string] => [name, ''])].map(([name, description]) => ({
    name,
    description,
  }));
}
