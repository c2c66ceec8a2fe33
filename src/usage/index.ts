export { listUnreportedRuns, type UnreportedRun } from './metering/meter-events.queries.js';
export { type Billed, refundRuns } from './quota.js';
export { RunBilling } from './run-billing.js';
export { USAGE_ENTITIES } from './usage.entities.js';
export { UsageModule } from './usage.module.js';
