import { sumOf } from '../../numeric/sum.js';
import { observedValues } from '../missing.js';
import { LEVELS, QUANTILE_LEVELS, type QuantileForecast } from '../types.js';
import { negativeBinomialQuantiles } from '../../numeric/negative-binomial.js';
import { NORMAL_QUANTILES } from '../quantiles/normal-quantiles.js';
import { emptyForecast, type Forecaster } from './forecaster.js';

/**
 * Turns a method that estimates one demand rate into a forecaster: the rate is the mean of every month, and the quantiles are
 * negative binomial with the variance to mean ratio of the history. The history is counted in its smallest demand, so that
 * packs and fractions are counted like pieces; where that ratio is not above one, or demand is negative, quantiles are normal.
 * Missing months are left out: these methods know demands and the intervals between them only.
 * @param rate of a history with some demand: {@link runForecaster} gives a method no constant one
 */
export function rateForecaster(rate: (demand: Float64Array) => number): Forecaster {
  return {
    minObservations: 1,
    forecast: (values, horizon) => {
      const demand = observedValues(values);
      return flatForecast(demand, rate(demand), horizon);
    },
  };
}

function flatForecast(demand: Float64Array, rate: number, horizon: number): QuantileForecast {
  const n = demand.length;
  const mean = sumOf(demand) / n;
  const variance = demand.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, n - 1);
  const unit = smallestDemand(demand);
  const row = new Float64Array(LEVELS);
  const dispersion = variance / (mean * unit);
  if (demand.every((value) => value >= 0) && rate > 0 && dispersion > 1) {
    negativeBinomialQuantiles(rate / unit, dispersion, QUANTILE_LEVELS, row);
    for (let j = 0; j < LEVELS; j++) row[j]! *= unit;
  } else {
    for (let j = 0; j < LEVELS; j++) row[j] = rate + NORMAL_QUANTILES[j]! * Math.sqrt(variance);
  }
  const forecast = emptyForecast(horizon);
  forecast.mean.fill(rate);
  for (let k = 0; k < horizon; k++) forecast.quantiles.set(row, k * LEVELS);
  return forecast;
}

function smallestDemand(demand: Float64Array): number {
  let smallest = Infinity;
  for (const value of demand) if (value !== 0) smallest = Math.min(smallest, Math.abs(value));
  return smallest;
}
