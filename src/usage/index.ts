export { type Billed, chargeRun, readUsage, refundRun, type RunCharge, type Usage } from './quota.js';
export { USAGE_ENTITIES } from './usage.entities.js';
export { UsageModule } from './usage.module.js';
