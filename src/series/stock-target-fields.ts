import { MAX_HORIZON } from '../forecasting/index.js';
import { SERVICE_LEVEL_RANGE } from '../inventory/index.js';

/** How a series is stocked, as its members and the columns of uploads are called; null or absent for the default. */
export interface StockTargetFields {
  /** Months from order to delivery. */
  readonly lead_time_months?: number | null;
  /** Standard deviation of lead times in months. */
  readonly lead_time_sd_months?: number | null;
  /** Cycle service level. */
  readonly target_service_level?: number | null;
}

/** What a value of each must be, and whether one is that. */
const RULES: Readonly<Record<keyof StockTargetFields, readonly [rule: string, holds: (value: number) => boolean]>> = {
  lead_time_months: [
    `must be a number of months greater than 0, up to ${MAX_HORIZON}`,
    (months) => months > 0 && months <= MAX_HORIZON,
  ],
  lead_time_sd_months: [
    `must be a number of months from 0 to ${MAX_HORIZON}`,
    (months) => months >= 0 && months <= MAX_HORIZON,
  ],
  target_service_level: [
    `must be a number from ${SERVICE_LEVEL_RANGE.min} to ${SERVICE_LEVEL_RANGE.max}`,
    (level) => level >= SERVICE_LEVEL_RANGE.min && level <= SERVICE_LEVEL_RANGE.max,
  ],
};

/** A text that would be a number of JSON without its quotes. */
const QUOTED = /^\d+(?:\.\d+)?$/;

/** What is wrong with a value of a stock target; undefined if it is valid. */
export function faultOfTarget(field: keyof StockTargetFields, value: unknown): string | undefined {
  const [rule, holds] = RULES[field];
  if (typeof value === 'number' && holds(value)) return undefined;
  return typeof value === 'string' && QUOTED.test(value) && holds(Number(value)) ? `${rule}, without quotes` : rule;
}
