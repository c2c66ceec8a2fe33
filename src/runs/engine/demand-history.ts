import type { DemandHistory } from '../../forecasting/index.js';
import type { MonthlyHistory } from '../../series/index.js';

/**
 * Converts a stored history to the engine's format: truncated after the series' own last observed month, so that the forecast
 * begins with the next one (docs/decisions/0002).
 */
export function toDemandHistory({ seriesId, startMonth, values, category, unit }: MonthlyHistory): DemandHistory {
  const observed = values.findLastIndex((value) => !Number.isNaN(value)) + 1;
  return {
    id: seriesId,
    startMonth,
    values: values.subarray(0, observed),
    ...(category === null ? {} : { category }),
    ...(unit === null ? {} : { unit }),
  };
}
