import type { MigrationObject } from '@mikro-orm/core';
import { access } from './0001-access.js';
import { usage } from './0002-usage.js';
import { series } from './0003-series.js';
import { runs } from './0004-runs.js';
import { alerts } from './0005-alerts.js';
import { runSchedules } from './0006-run-schedules.js';
import { community } from './0010-community.js';
import { releases } from './0011-releases.js';
import { accounts } from './0020-accounts.js';
import { metering } from './0021-metering.js';
import { secondFactor } from './0022-second-factor.js';
import { retention } from './0030-retention.js';
import { rowLevelSecurity } from './0031-row-level-security.js';
import { seriesImportance } from './0032-series-importance.js';
import { recoveryCodes } from './0033-recovery-codes.js';
import { forecastBands } from './0034-forecast-bands.js';
import { mail } from './0035-mail.js';
import { chunkOrder } from './0036-chunk-order.js';
import { forecastFeed } from './0040-forecast-feed.js';
import { compliance } from './0050-compliance.js';
import { heartbeatMinutes } from './0055-heartbeat-minutes.js';
import { connectors } from './0060-connectors.js';
import { secretChecks } from './0070-secret-checks.js';
import { monthFigures } from './0074-month-figures.js';
import { tokenRenewals } from './0076-token-renewals.js';
import { connectorAccounts } from './0077-connector-accounts.js';
import { importProgress } from './0085-import-progress.js';
import { importDecimal } from './0086-import-decimal.js';
import { runLastMonth } from './0091-run-last-month.js';
import { forecastPages } from './0092-forecast-pages.js';
import { forecastWorkspace } from './0093-forecast-workspace.js';
import { workspaceRows } from './0094-workspace-rows.js';
import { endedSyncs } from './0095-ended-syncs.js';
import { forecastListing } from './0096-forecast-listing.js';
import { connectorRows } from './0097-connector-rows.js';
import { runUnknownSeries } from './0098-run-unknown-series.js';
import { forecastBandLoops } from './0099-forecast-band-loops.js';
import { scheduleFailures } from './0100-schedule-failures.js';
import { retentionSetAt } from './0104-retention-set-at.js';
import { runsRecent } from './0105-runs-recent.js';
import { rewrittenMigrations } from './0106-rewritten-migrations.js';
import { runsFinishedIndex } from './0107-runs-finished-index.js';
import { publications } from './0108-publications.js';
import { safetyStocks } from './0110-safety-stocks.js';
import { largeOrganizations } from './0111-large-organizations.js';
import { retentionSinceUpgrade } from './0113-retention-since-upgrade.js';
import { namesWithoutAddresses } from './0114-names-without-addresses.js';
import { stockFormula } from './0115-stock-formula.js';
import { packedDouble } from './0116-packed-double.js';
import { demoOrganization } from './0117-demo-organization.js';
import { latestRuns } from './0118-latest-runs.js';
import { quotaNotices } from './0119-quota-notices.js';
import { stockWarnings } from './0120-stock-warnings.js';
import { importsBrokenOff } from './0121-imports-broken-off.js';
import { importsBegun } from './0122-imports-begun.js';
import { connectorsReadAnew } from './0123-connectors-read-anew.js';
import { retiredDemandCounts } from './0124-retired-demand-counts.js';
import { hiddenReplies } from './0125-hidden-replies.js';
import { emailChanges } from './0126-email-changes.js';
import { keyExpiryNotices } from './0127-key-expiry-notices.js';
import { fullSyncs } from './0128-full-syncs.js';
import { seriesMetrics } from './0129-series-metrics.js';
import { keyMakers } from './0130-key-makers.js';
import { auditTargets } from './0131-audit-targets.js';
import { unsureMeterEvents } from './0132-unsure-meter-events.js';
import { unreadableKeys } from './0133-unreadable-keys.js';
import { accentsInSearch } from './0134-accents-in-search.js';
import { overageLimit } from './0135-overage-limit.js';
import { forumBlocks } from './0136-forum-blocks.js';
import { secondFactorRequired } from './0137-second-factor-required.js';
import { runIncompleteMonth } from './0138-run-incomplete-month.js';
import { namesOfBlockedAuthors } from './0139-names-of-blocked-authors.js';
import { overageLimitNotices } from './0140-overage-limit-notices.js';
import { textsWithoutBlanks } from './0141-texts-without-blanks.js';
import { tenantsOfOrderLines } from './0142-tenants-of-order-lines.js';
import { productsLeftOut } from './0143-products-left-out.js';
import { removedConnectors } from './0144-removed-connectors.js';
import { ordersSetAside } from './0145-orders-set-aside.js';
import { waitingDeliveries } from './0146-waiting-deliveries.js';
import { importChunksOfOrganization } from './0147-import-chunks-of-organization.js';
import { runMissingDays } from './0148-run-missing-days.js';
import { demandVersion } from './0149-demand-version.js';
import { seriesEditsCounted } from './0150-series-edits-counted.js';
import { seriesStockTargets } from './0151-series-stock-targets.js';
import { stockTargetVersionOfRows } from './0152-stock-target-version-of-rows.js';
import { successions } from './0153-successions.js';
import { runTotals } from './0154-run-totals.js';
import { undershoot } from './0155-undershoot.js';
import { endedSuccessions } from './0156-ended-successions.js';

/**
 * Every migration, in the order of application. The list is explicit so that a build and the test runner load the same
 * set; names are recorded in the database and never change. Each is committed by itself, so that it holds its locks no longer
 * than its own change takes. Expand first, contract in a later release.
 */
export const migrations: readonly MigrationObject[] = [
  access,
  usage,
  series,
  runs,
  alerts,
  runSchedules,
  community,
  releases,
  accounts,
  metering,
  secondFactor,
  retention,
  rowLevelSecurity,
  seriesImportance,
  recoveryCodes,
  forecastBands,
  mail,
  chunkOrder,
  forecastFeed,
  compliance,
  heartbeatMinutes,
  connectors,
  secretChecks,
  monthFigures,
  tokenRenewals,
  connectorAccounts,
  importProgress,
  importDecimal,
  runLastMonth,
  forecastPages,
  forecastWorkspace,
  workspaceRows,
  endedSyncs,
  forecastListing,
  connectorRows,
  runUnknownSeries,
  forecastBandLoops,
  scheduleFailures,
  retentionSetAt,
  runsRecent,
  rewrittenMigrations,
  runsFinishedIndex,
  publications,
  safetyStocks,
  largeOrganizations,
  retentionSinceUpgrade,
  namesWithoutAddresses,
  stockFormula,
  packedDouble,
  demoOrganization,
  latestRuns,
  quotaNotices,
  stockWarnings,
  importsBrokenOff,
  importsBegun,
  connectorsReadAnew,
  retiredDemandCounts,
  hiddenReplies,
  emailChanges,
  keyExpiryNotices,
  fullSyncs,
  seriesMetrics,
  keyMakers,
  auditTargets,
  unsureMeterEvents,
  unreadableKeys,
  accentsInSearch,
  overageLimit,
  forumBlocks,
  secondFactorRequired,
  runIncompleteMonth,
  namesOfBlockedAuthors,
  overageLimitNotices,
  textsWithoutBlanks,
  tenantsOfOrderLines,
  productsLeftOut,
  removedConnectors,
  ordersSetAside,
  waitingDeliveries,
  importChunksOfOrganization,
  runMissingDays,
  demandVersion,
  seriesEditsCounted,
  seriesStockTargets,
  stockTargetVersionOfRows,
  successions,
  runTotals,
  undershoot,
  endedSuccessions,
];
