/** Descriptions of the tags in the OpenAPI document, in reading order. */
const TAGS: Readonly<Record<string, string>> = {
  Demand: 'Upload demand as CSV, JSON or NDJSON, and track large imports.',
  Series: 'The product series of a workspace, their trend changes and plain-language forecasts.',
  Runs: 'Start, poll and cancel forecast runs.',
  Forecasts: 'Results of completed runs: quantiles per series and month, and metrics per series.',
  'Safety stock': 'Safety stock and reorder points from the forecast distribution of a run.',
  'Demand sensing': 'The month in progress, blended from the forecast and the actuals to date.',
  'Forecast changes': 'Why a forecast changed from one run to the next.',
  Alerts: 'Shifts, spikes and drops of demand that a run found.',
  Usage: 'How much of the monthly run quota is used.',
  OData: 'The same data as an OData v4 feed for BI tools.',
  'Workspace data': 'Demand and series of a workspace, for signed-in members.',
  'Workspace runs': 'Runs of a workspace, with their results and alerts, for signed-in members.',
  Overrides: 'Manual changes to forecasts by series and month, with their history.',
  Schedule: 'Runs that start automatically every month.',
  Connectors: 'Demand from shops, accounting and ERP systems, by scheduled sync or webhook.',
  Webhooks: 'Notifications from shops, authenticated by a signature over the body.',
  'Sign-in': 'Sign in and out, and manage your account, sessions and second factor.',
  Organizations: 'Organizations with their plan, workspaces, members and invitations.',
  'API keys': 'Create, rotate and revoke keys for the public API.',
  'Audit log': 'Who did what and when, in a tamper-evident hash chain.',
  Compliance: 'SOC 2 readiness of the platform and of an organization.',
  Community: 'The forum for signed-in users.',
  'Community moderation': 'Moderate the forum. For operators of the platform.',
  Releases: 'Releases of the product and the changelog.',
  Notifications: 'Announcements of new releases for the signed-in user.',
  Operation: 'Manage organizations and flags. For operators of the platform.',
  Health: 'Liveness and readiness of the process.',
};

/** The tags that operations use, each with its description; a tag without one is a mistake that a test catches. */
export function describeTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  const known = Object.entries(TAGS).filter(([name]) => used.has(name));
  const unknown = [...used].filter((name) => !(name in TAGS)).sort();
  return [...known, ...unknown.map((name): [string, string] => [name, ''])].map(([name, description]) => ({
    name,
    description,
  }));
}
