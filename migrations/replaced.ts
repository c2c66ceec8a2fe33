/**
 * Migrations that were parted into several between releases: a database that has applied one under its old name has
 * applied all that stand beside it.
 */
export const replacedMigrations: Readonly<Record<string, readonly string[]>> = {
  '0091-large-workspaces': [
    '0091-run-last-month',
    '0092-forecast-pages',
    '0093-forecast-workspace',
    '0094-workspace-rows',
    '0096-forecast-listing',
    '0097-connector-rows',
  ],
  '0091-ended-syncs': ['0095-ended-syncs'],
};
