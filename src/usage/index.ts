export { listUnreportedRuns, type UnreportedRun } from './metering/meter-events.queries.js';
export { type Billed, refundRuns, type RunRefund } from './quota.js';
export { RunBilling } from './run-billing.js';
export { UsageModule } from './usage.module.js';
