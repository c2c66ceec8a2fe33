export { demandForecast } from './demand-forecast.js';
export { mergeErrorPools, poolErrors } from './error-pool.js';
export { type OrderSizes, orderSizesOf } from './order-sizes.js';
export { recommendSafetyStock, SERVICE_LEVEL_RANGE } from './safety-stock.js';
export type { SafetyStock } from './safety-stock.js';
export { largestDeviation } from './uncertain-lead-time.js';
export { LEAD_TIME_DISTRIBUTIONS } from './types.js';
export type {
  BacktestErrors,
  DemandForecast,
  ErrorPool,
  LeadTimeDistribution,
  PooledErrors,
  SafetyStockRequest,
} from './types.js';
