export { cancelQueued } from './end/cancel-queued.js';
export { RECENT_SHIFT_MONTHS } from './engine/find-changes.js';
export { threadCount } from './engine/engine-threads.js';
export { latestRun } from './latest-run.queries.js';
export { RunsModule } from './runs.module.js';
export { BILLED } from './runs.queries.js';
export { SafetyStocks } from './stock/safety-stocks.js';
export { LATEST_ADVISED_OF_WORKSPACES, latestOfWorkspacesAt } from './stock/safety-stocks.queries.js';
