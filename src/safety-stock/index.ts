export { warningsOfToday } from './known-today.js';
export { adviseSafetyStock, type SafetyStockAdvice, USUAL_TARGET } from './safety-stock.js';
export { SafetyStockDto, SafetyStockQueryDto } from './safety-stock.dto.js';
