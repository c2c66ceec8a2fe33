export { adviseSafetyStock, type SafetyStockAdvice, type StockTarget } from './safety-stock.js';
export { SafetyStockDto, SafetyStockQueryDto } from './safety-stock.dto.js';
