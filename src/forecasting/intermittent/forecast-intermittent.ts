import { negativeBinomialQuantiles } from '../../numeric/negative-binomial.js';
import { calendarMonth } from '../calendar.js';
import { emptyForecast } from '../methods/forecaster.js';
import { LEVELS, type MonthlyDemand, QUANTILE_LEVELS, type QuantileForecast } from '../types.js';
import { additiveScore } from './additive-model.js';
import { dispersionToward, seriesDispersion } from './dispersion.js';
import { FEATURES, writeFeatures } from './features.js';
import type { IntermittentModel } from './intermittent-model.js';
import { BERNOULLI } from './losses.js';
import { obsolescenceFactor } from './obsolescence.js';
import type { ExposedDemand } from './exposed-demand.js';
import { demandScale, largestRate, logOdds, scaleDemand, seriesChance, seriesRate } from './rates.js';
import { exposeCounts, seasonalFactors } from './season/count-season.js';
import { countByMonth } from './season/month-sums.js';
import { hasSold } from './unsold-series.js';

/** Weight of the learned chance of demand against the series' discounted one, in log odds. */
const LEARNED_CHANCE_WEIGHT = 0.7;

/**
 * Forecast of one series given the workspace's model. A series that never sold is forecast as such series of the workspace
 * fared, and as zero where too few are known.
 */
export function forecastIntermittent(
  history: MonthlyDemand,
  model: IntermittentModel,
  horizon: number,
): QuantileForecast {
  const series = countByMonth(history);
  const { factors, variances } = seasonalFactors(series, model.season);
  const counts = exposeCounts(series, { factors, variances });
  const forecast = emptyForecast(horizon);
  const unit = hasSold(counts.demand, counts.demand.length) ? series.unit : model.learnt?.unsold?.step;
  if (unit === undefined) return forecast;
  const { mean, dispersion } = expectedDemand(counts, series.measured, model);
  const firstMonth = history.startMonth + history.values.length;
  const known: MonthForecast[] = [];
  for (let k = 0; k < horizon; k++) {
    const month = calendarMonth(firstMonth + k);
    const monthMean = mean * factors[month]!;
    // the variance of the factor times the mean, squared, is one more of the month's demand
    const monthDispersion = dispersion + (mean * variances[month]!) / factors[month]!;
    let same = known.find((one) => one.mean === monthMean && one.dispersion === monthDispersion);
    if (!same) known.push((same = monthForecast(monthMean, monthDispersion, unit)));
    forecast.mean[k] = monthMean * unit;
    forecast.quantiles.set(same.quantiles, k * LEVELS);
  }
  return forecast;
}

/** Forecast of one month, kept for those like it: later years, and all months where there is no season. */
interface MonthForecast {
  /** In steps, as its dispersion is. */
  readonly mean: number;
  readonly dispersion: number;
  /** In the unit of the series. */
  readonly quantiles: Float64Array;
}

function monthForecast(mean: number, dispersion: number, unit: number): MonthForecast {
  const counts = new Float64Array(LEVELS);
  negativeBinomialQuantiles(mean, dispersion, QUANTILE_LEVELS, counts);
  return { mean, dispersion, quantiles: counts.map((count) => count * unit) };
}

/** Mean and variance to mean ratio of a month's demand, in steps, without its season. */
function expectedDemand(
  counts: ExposedDemand,
  measured: boolean,
  { rates, learnt: learned, dispersion: pooled }: IntermittentModel,
): { mean: number; dispersion: number } {
  const series = scaleDemand(counts, demandScale(counts.demand, counts.demand.length), measured);
  const dispersion = series.scale * seriesDispersion(series, rates, pooled);
  const obsolescence = obsolescenceFactor(series, rates.chance);
  // the learned factor is that of a rate shrunk toward all of the workspace's mean: learned with the bound, it would undo it
  const prior = Math.min(rates.demand, largestRate(series));
  const level = obsolescence * series.scale * seriesRate(series, prior);
  if (!learned) return { mean: level, dispersion };
  const features = new Float64Array(FEATURES);
  writeFeatures(series, rates, features, 0);
  const mean = level * Math.exp(additiveScore(learned.mean, features));
  const odds = logOdds(rates.chance) + additiveScore(learned.chance, features);
  const chance =
    obsolescence *
    BERNOULLI.expected(
      LEARNED_CHANCE_WEIGHT * odds + (1 - LEARNED_CHANCE_WEIGHT) * logOdds(seriesChance(series, rates)),
    );
  return { mean, dispersion: dispersionToward(dispersion, mean, chance) };
}
