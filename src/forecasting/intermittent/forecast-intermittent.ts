import { negativeBinomialQuantiles } from '../../numeric/negative-binomial.js';
import { calendarMonth } from '../calendar.js';
import { emptyForecast } from '../methods/forecaster.js';
import { LEVELS, QUANTILE_LEVELS, type QuantileForecast } from '../types.js';
import { additiveScore } from './additive-model.js';
import { dispersionTowards, seriesDispersion } from './dispersion.js';
import { FEATURES, writeFeatures } from './features.js';
import type { IntermittentModel } from './intermittent-model.js';
import { BERNOULLI } from './losses.js';
import { obsolescenceFactor } from './obsolescence.js';
import { demandScale, logOdds, scaleDemand, seriesRates } from './rates.js';
import { withoutSeason } from './season/count-season.js';
import { countByMonth, type MonthlyDemand } from './season/month-sums.js';
import { hasSold } from './unsold-series.js';

/** Weight of the learnt chance of demand against the series' discounted one, in log odds. */
const LEARNT_CHANCE_WEIGHT = 0.7;

/**
 * Forecast of one series given the workspace's model. A series that never sold is forecast as such series of the workspace
 * fared, and as zero where too few are known.
 */
export function forecastIntermittent(
  history: MonthlyDemand,
  model: IntermittentModel,
  horizon: number,
): QuantileForecast {
  const { counts, unit: ownUnit, factors } = withoutSeason(countByMonth(history), model.season);
  const forecast = emptyForecast(horizon);
  const unit = hasSold(counts, counts.length) ? ownUnit : model.learnt?.unsold?.step;
  if (unit === undefined) return forecast;
  const { mean, dispersion } = expectedDemand(counts, model);
  const firstMonth = history.startMonth + history.values.length;
  const rows = new Map<number, Float64Array>();
  for (let k = 0; k < horizon; k++) {
    const monthMean = mean * factors[calendarMonth(firstMonth + k)]!;
    const row = rows.get(monthMean) ?? monthQuantiles(monthMean, dispersion, unit);
    rows.set(monthMean, row);
    forecast.mean[k] = monthMean * unit;
    forecast.quantiles.set(row, k * LEVELS);
  }
  return forecast;
}

function monthQuantiles(mean: number, dispersion: number, unit: number): Float64Array {
  const row = new Float64Array(LEVELS);
  negativeBinomialQuantiles(mean, dispersion, QUANTILE_LEVELS, row);
  return row.map((count) => count * unit);
}

/** Mean and variance to mean ratio of a month's demand, in steps, without its season. */
function expectedDemand(
  counts: Float64Array,
  { rates, learnt, dispersion: pooled }: IntermittentModel,
): { mean: number; dispersion: number } {
  const { demand, scale } = scaleDemand(counts, demandScale(counts, counts.length));
  const own = seriesRates(demand, rates);
  const dispersion = scale * seriesDispersion(demand, rates, pooled);
  const obsolescence = obsolescenceFactor(demand, rates.chance);
  const level = obsolescence * scale * own.demand;
  if (!learnt) return { mean: level, dispersion };
  const features = new Float64Array(FEATURES);
  writeFeatures({ demand, scale }, rates, features, 0);
  const mean = level * Math.exp(additiveScore(learnt.mean, features));
  const odds = logOdds(rates.chance) + additiveScore(learnt.chance, features);
  const chance =
    obsolescence * BERNOULLI.expected(LEARNT_CHANCE_WEIGHT * odds + (1 - LEARNT_CHANCE_WEIGHT) * logOdds(own.chance));
  return { mean, dispersion: dispersionTowards(dispersion, mean, chance) };
}
