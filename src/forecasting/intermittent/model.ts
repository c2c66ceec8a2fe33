import { LEVELS, type QuantileForecast } from '../types.js';
import { negativeBinomialQuantiles } from '../numeric/negative-binomial.js';
import { emptyForecast } from '../methods/forecaster.js';
import { countDemand } from './demand-units.js';
import { discountedSums, FEATURES, writeFeatures, type WorkspaceRates } from './features.js';
import { fitQuasiPoisson } from './quasi-poisson.js';

/**
 * Intermittent and lumpy demand over a whole workspace (every constant chosen at the 27-month origin of the
 * carparts training part): the mean is the geometric mean of a pooled log-linear regression and of a discounted mean drawn
 * towards the workspace's; the distribution is negative binomial, flat over the horizon.
 */
export interface IntermittentModel {
  readonly rates: WorkspaceRates;
  /** Coefficients of the first features; null when there were too few histories to fit them. */
  readonly coefficients: readonly number[] | null;
  /** Pooled variance to mean ratio. */
  readonly dispersion: number;
}

/** Months before the end at which histories are cut to form rows of the regression. */
const TRAINING_OFFSETS = [6, 9, 12, 15, 18, 24];
const SMALLEST_TRAINING_HISTORY = 12;
/** The response is the mean of up to this many months after the cut. */
const RESPONSE_MONTHS = 12;
/** Fewer rows than this cannot support the regression. */
const SMALLEST_TRAINING_ROWS = 60;
const RIDGE = 5;
const OVERDISPERSION = 0.5;

const MEAN_DISCOUNT = 0.85;
const MEAN_PRIOR_MONTHS = 6;
const DISPERSION_DISCOUNT = 0.98;
const DISPERSION_PRIOR_MONTHS = 20;
const DISPERSION_MEAN_PRIOR_MONTHS = 0.5;
/** Workspace means before any series is seen: one piece in three months, Poisson-like. */
const DEFAULT_RATES: WorkspaceRates = { demand: 0.5, chance: 0.3 };
const DEFAULT_DISPERSION = 1.5;

/** Learns the pooled part from the intermittent histories of a workspace (NaN = missing; any unit). */
export function fitIntermittent(histories: readonly Float64Array[]): IntermittentModel {
  const demands = histories.map((values) => countDemand(values).counts).filter((counts) => counts.length > 0);
  const rates = workspaceRates(demands);
  return { rates, coefficients: fitRegression(demands, rates), dispersion: pooledDispersion(demands, rates) };
}

function workspaceRates(demands: readonly Float64Array[]): WorkspaceRates {
  let total = 0;
  let positive = 0;
  let months = 0;
  for (const demand of demands) {
    months += demand.length;
    for (const value of demand) {
      total += value;
      if (value > 0) positive++;
    }
  }
  return positive === 0 ? DEFAULT_RATES : { demand: total / months, chance: positive / months };
}

function fitRegression(demands: readonly Float64Array[], rates: WorkspaceRates): number[] | null {
  const cuts: { demand: Float64Array; length: number }[] = [];
  for (const demand of demands) {
    for (const offset of TRAINING_OFFSETS) {
      const length = demand.length - offset;
      if (length >= SMALLEST_TRAINING_HISTORY) cuts.push({ demand, length });
    }
  }
  if (cuts.length < SMALLEST_TRAINING_ROWS) return null;
  const rows = new Float64Array(cuts.length * FEATURES);
  const responses = new Float64Array(cuts.length);
  cuts.forEach(({ demand, length }, r) => {
    writeFeatures(demand, length, rates, rows, r * FEATURES);
    const months = Math.min(RESPONSE_MONTHS, demand.length - length);
    for (let t = length; t < length + months; t++) responses[r]! += demand[t]! / months;
  });
  return Array.from(fitQuasiPoisson(rows, responses, FEATURES, RIDGE, OVERDISPERSION));
}

interface Spread {
  readonly mean: number;
  readonly variation: number;
  readonly weight: number;
}

/** Discounted mean and discounted squared deviations from it. */
function discountedSpread(demand: Float64Array, rates: WorkspaceRates): Spread {
  const sums = discountedSums(demand, demand.length, DISPERSION_DISCOUNT);
  const mean =
    (sums.value + DISPERSION_MEAN_PRIOR_MONTHS * rates.demand) / (sums.weight + DISPERSION_MEAN_PRIOR_MONTHS);
  let variation = 0;
  for (let t = 0; t < demand.length; t++) variation = variation * DISPERSION_DISCOUNT + (demand[t]! - mean) ** 2;
  return { mean, variation, weight: sums.weight };
}

function pooledDispersion(demands: readonly Float64Array[], rates: WorkspaceRates): number {
  let variation = 0;
  let expected = 0;
  for (const demand of demands) {
    const spread = discountedSpread(demand, rates);
    variation += spread.variation;
    expected += spread.mean * spread.weight;
  }
  return expected > 0 ? variation / expected : DEFAULT_DISPERSION;
}

/** Forecast of one series given the workspace's model; a series that never sold is forecast as zero. */
export function forecastIntermittent(
  values: Float64Array,
  model: IntermittentModel,
  horizon: number,
): QuantileForecast {
  const { counts, unit } = countDemand(values);
  const forecast = emptyForecast(horizon);
  if (!counts.some((value) => value > 0)) return forecast;
  const mean = expectedDemand(counts, model);
  const spread = discountedSpread(counts, model.rates);
  const dispersion =
    (spread.variation / spread.mean + DISPERSION_PRIOR_MONTHS * model.dispersion) /
    (spread.weight + DISPERSION_PRIOR_MONTHS);
  const row = new Float64Array(LEVELS);
  negativeBinomialQuantiles(mean, dispersion, row);
  for (let j = 0; j < LEVELS; j++) row[j]! *= unit;
  forecast.mean.fill(mean * unit);
  for (let k = 0; k < horizon; k++) forecast.quantiles.set(row, k * LEVELS);
  return forecast;
}

function expectedDemand(counts: Float64Array, model: IntermittentModel): number {
  const sums = discountedSums(counts, counts.length, MEAN_DISCOUNT);
  const discounted = (sums.value + MEAN_PRIOR_MONTHS * model.rates.demand) / (sums.weight + MEAN_PRIOR_MONTHS);
  if (!model.coefficients) return discounted;
  const features = new Float64Array(FEATURES);
  writeFeatures(counts, counts.length, model.rates, features, 0);
  let predictor = 0;
  model.coefficients.forEach((coefficient, i) => (predictor += coefficient * features[i]!));
  return Math.sqrt(Math.exp(predictor) * discounted);
}
