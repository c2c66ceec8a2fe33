export { type KnownToday, warningsOfToday } from './known-today.js';
export { adviseSafetyStock, type SafetyStockAdvice } from './safety-stock.js';
export { SafetyStockDto, SafetyStockQueryDto } from './safety-stock.dto.js';
export { type StockTarget, targetOf } from './stock-target.js';
