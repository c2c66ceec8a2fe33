import type { SafetyStockAdvice } from '../../safety-stock/index.js';

/** Safety stock of one series by the latest completed run of its workspace. */
export interface SafetyStockRow {
  readonly runId: string;
  readonly seriesId: string;
  readonly advice: SafetyStockAdvice;
}
