import { LEVELS, QUANTILE_LEVELS, type QuantileForecast } from '../types.js';
import { negativeBinomialQuantiles } from '../../numeric/negative-binomial.js';
import { emptyForecast } from '../methods/forecaster.js';
import { additiveScore, type AdditiveModel, fitAdditiveModel } from './additive-model.js';
import { countDemand, type CountedDemand } from './demand-units.js';
import { dispersionTowards, pooledDispersion, seriesDispersion } from './dispersion.js';
import { obsolescenceFactor } from './obsolescence.js';
import { FEATURES, writeFeatures } from './features.js';
import { BERNOULLI, QUASI_POISSON } from './losses.js';
import { type MeasuredDemand, measureOf, seriesRates, workspaceRates, type WorkspaceRates } from './rates.js';
import { hasSold, type UnsoldSeries, unsoldSeries } from './unsold-series.js';

/**
 * Intermittent and lumpy demand over a whole workspace: the discounted mean of a series, times what a boosted additive model
 * has learnt of such series; a second one tells the chance of demand in a month. The distribution is negative binomial, its
 * dispersion that of the series and of the chance; flat over the horizon. Constants were chosen at cuts of 21 to 33 months of
 * the car parts' training part.
 */
export interface IntermittentModel {
  readonly rates: WorkspaceRates;
  /** Null when there were too few histories to learn from; absent in what earlier versions stored. */
  readonly learnt?: LearntModels | null;
  /** Pooled variance to mean ratio. */
  readonly dispersion: number;
}

export interface LearntModels {
  /** Logarithm of the factor on the discounted mean. */
  readonly mean: AdditiveModel;
  /** Log odds of demand in a month, over those of the workspace. */
  readonly chance: AdditiveModel;
  /** Of series without any demand so far; null where too few were met, absent in what earlier versions stored. */
  readonly unsold?: UnsoldSeries | null;
}

/** Months before the end at which histories are cut to form rows to learn from. */
const TRAINING_OFFSETS = [6, 9, 12, 15, 18, 24];
const SMALLEST_TRAINING_HISTORY = 12;
/** Shorter parts of a history than this are too unlike it; of 0, .5, .55, .6 and .67. */
const SMALLEST_TRAINING_SHARE = 0.6;
/** Responses are means over up to this many months after the cut. */
const RESPONSE_MONTHS = 12;
/** Fewer rows than this have nothing to tell about series in general. */
const SMALLEST_TRAINING_ROWS = 40;
/** Weight of the learnt chance against the discounted one, in log odds. */
const LEARNT_CHANCE_WEIGHT = 0.7;
const LARGEST_CHANCE = 0.999;

/** Learns the pooled part from the intermittent histories of a workspace (NaN = missing; any unit). */
export function fitIntermittent(histories: readonly Float64Array[]): IntermittentModel {
  const counted = histories.map(countDemand).filter(({ counts }) => counts.length > 0);
  const demands = counted.map(({ counts }) => measured(counts, measureOf(counts, counts.length)).demand);
  const rates = workspaceRates(demands);
  return { rates, learnt: learn(counted, rates), dispersion: pooledDispersion(demands, rates) };
}

function measured(counts: Float64Array, measure: number): MeasuredDemand {
  return { demand: counts.map((count) => count / measure), measure };
}

function learn(counted: readonly CountedDemand[], rates: WorkspaceRates): LearntModels | null {
  const cuts: { series: CountedDemand; length: number; sold: boolean }[] = [];
  for (const series of counted) {
    const { counts } = series;
    const shortest = Math.max(SMALLEST_TRAINING_HISTORY, SMALLEST_TRAINING_SHARE * counts.length);
    for (const offset of TRAINING_OFFSETS) {
      const length = counts.length - offset;
      if (length >= shortest) cuts.push({ series, length, sold: hasSold(counts, length) });
    }
  }
  if (cuts.length < SMALLEST_TRAINING_ROWS) return null;
  const rows = new Float64Array(cuts.length * FEATURES);
  const logMeans = new Float64Array(cuts.length);
  const means = new Float64Array(cuts.length);
  const chances = new Float64Array(cuts.length);
  cuts.forEach(({ series: { counts }, length, sold }, r) => {
    const { demand, measure } = measured(counts, measureOf(counts, sold ? length : counts.length));
    const known = demand.subarray(0, length);
    writeFeatures({ demand: known, measure }, rates, rows, r * FEATURES);
    logMeans[r] = Math.log(seriesRates(known, rates).demand);
    const after = demand.subarray(length, length + RESPONSE_MONTHS);
    for (const value of after) {
      means[r]! += value / after.length;
      if (value > 0) chances[r]! += 1 / after.length;
    }
  });
  const level = new Float64Array(cuts.length).fill(logOdds(rates.chance));
  return {
    mean: fitAdditiveModel(rows, means, logMeans, FEATURES, QUASI_POISSON),
    chance: fitAdditiveModel(rows, chances, level, FEATURES, BERNOULLI),
    unsold: unsoldSeries(cuts.filter((cut) => !cut.sold).map((cut) => cut.series)),
  };
}

/**
 * Forecast of one series given the workspace's model. A series that never sold is forecast as such series of the workspace
 * fared, and as zero where too few are known.
 */
export function forecastIntermittent(
  values: Float64Array,
  model: IntermittentModel,
  horizon: number,
): QuantileForecast {
  const { counts, unit: ownUnit } = countDemand(values);
  const forecast = emptyForecast(horizon);
  const unit = hasSold(counts, counts.length) ? ownUnit : model.learnt?.unsold?.step;
  if (unit === undefined) return forecast;
  const { mean, dispersion } = expectedDemand(counts, model);
  const row = new Float64Array(LEVELS);
  negativeBinomialQuantiles(mean, dispersion, QUANTILE_LEVELS, row);
  for (let j = 0; j < LEVELS; j++) row[j]! *= unit;
  forecast.mean.fill(mean * unit);
  for (let k = 0; k < horizon; k++) forecast.quantiles.set(row, k * LEVELS);
  return forecast;
}

/** Mean and variance to mean ratio of a month's demand. */
function expectedDemand(
  counts: Float64Array,
  { rates, learnt, dispersion: pooled }: IntermittentModel,
): { mean: number; dispersion: number } {
  const { demand, measure } = measured(counts, measureOf(counts, counts.length));
  const own = seriesRates(demand, rates);
  const dispersion = measure * seriesDispersion(demand, rates, pooled);
  const left = obsolescenceFactor(demand, rates.chance);
  const level = left * measure * own.demand;
  if (!learnt) return { mean: level, dispersion };
  const features = new Float64Array(FEATURES);
  writeFeatures({ demand, measure }, rates, features, 0);
  const mean = level * Math.exp(additiveScore(learnt.mean, features));
  const odds = logOdds(rates.chance) + additiveScore(learnt.chance, features);
  const chance =
    left * BERNOULLI.expected(LEARNT_CHANCE_WEIGHT * odds + (1 - LEARNT_CHANCE_WEIGHT) * logOdds(own.chance));
  return { mean, dispersion: dispersionTowards(dispersion, mean, chance) };
}

/** Finite for series and workspaces with demand in every month, too. */
function logOdds(chance: number): number {
  const bounded = Math.min(LARGEST_CHANCE, Math.max(1 - LARGEST_CHANCE, chance));
  return Math.log(bounded / (1 - bounded));
}
