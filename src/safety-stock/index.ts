export { warningsOfToday } from './known-today.js';
export { adviseSafetyStock, type SafetyStockAdvice } from './safety-stock.js';
export { SafetyStockDto, SafetyStockQueryDto } from './safety-stock.dto.js';
export { USUAL_TARGET } from './stock-target.js';
