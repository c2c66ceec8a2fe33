import { sumOf } from '../../numeric/sum.js';
import { calendarMonth } from '../calendar.js';
import { countObserved } from '../missing.js';
import type { MonthlyDemand } from '../types.js';
import { fitAdditiveModel } from './additive-model.js';
import { pooledDispersion } from './dispersion.js';
import { FEATURES, writeFeatures } from './features.js';
import type { IntermittentModel, LearnedModels } from './intermittent-model.js';
import { BERNOULLI, QUASI_POISSON } from './losses.js';
import { DemandMonths } from './demand-chance.js';
import {
  demandScale,
  logOdds,
  scaleDemand,
  type ScaledDemand,
  seriesRate,
  workspaceRates,
  type WorkspaceRates,
} from './rates.js';
import {
  type CountSeason,
  exposeCounts,
  learnCountSeason,
  type SeasonalFactors,
  seasonalFactors,
} from './season/count-season.js';
import { countByMonth, type DatedCounts } from './season/month-sums.js';
import { hasSold, unsoldSeries } from './unsold-series.js';

/**
 * Histories are cut at the ends of quarters, this many months before their own end, to form rows to learn from. Cuts that moved
 * with the end changed every row from one month to the next, and so all forecasts (docs/engine-trials.md).
 */
const MIN_TRAINING_OFFSET = 5;
const MAX_TRAINING_OFFSET = 24;
const QUARTER = 3;
/** Months that a cut leaves at least. */
const MIN_TRAINING_HISTORY = 12;
/** Share of a history that a cut leaves at least, since shorter parts are too unlike the whole; best of 0, .5, .55, .6 and .67. */
const MIN_TRAINING_SHARE = 0.6;
/** Responses are means over up to this many months after the cut. */
const RESPONSE_MONTHS = 12;
/** Least exposure after a cut: with less, next to nothing is sold and next to nothing learned. */
const MIN_RESPONSE_EXPOSURE = 3;
/**
 * A response counts as at most so many times the largest month before the cut, which counts as one step of the series' scale at
 * least: a series that starts again at a thousand times its scale is no example for others.
 */
const MAX_RESPONSE = 2;
/** Fewer rows than this teach nothing about series in general. */
const MIN_TRAINING_ROWS = 40;

/** The first `length` months of a series, to be learned from beside what came after them. */
interface TrainingCut {
  readonly series: DatedCounts;
  /** Its season, estimated without the months after the cut. */
  readonly season: SeasonalFactors;
  readonly length: number;
  /** Whether the series had any demand by then. */
  readonly sold: boolean;
}

/** Learns the pooled model from the intermittent histories of a workspace (NaN = missing; any unit). */
export function fitIntermittent(histories: readonly MonthlyDemand[]): IntermittentModel {
  const dated = histories.map(countByMonth);
  const season = learnCountSeason(dated);
  const demands = dated.map((series) => {
    const exposed = exposeCounts(series, seasonalFactors(series, season));
    return scaleDemand(exposed, demandScale(exposed.demand, exposed.demand.length), series.measured);
  });
  const rates = workspaceRates(demands);
  const learned = learnModels(trainingCuts(dated, season), rates);
  return { rates, learnt: learned, dispersion: pooledDispersion(demands, rates), season };
}

/** Cuts of the series to learn from, oldest months kept, with the season that was known by then. */
export function trainingCuts(all: readonly DatedCounts[], workspace: CountSeason | null): TrainingCut[] {
  const cuts: TrainingCut[] = [];
  for (const series of all) {
    const { counts } = series;
    const shortest = Math.max(MIN_TRAINING_HISTORY, MIN_TRAINING_SHARE * countObserved(counts));
    const end = series.startMonth + counts.length;
    for (let offset = MIN_TRAINING_OFFSET; offset <= MAX_TRAINING_OFFSET; offset++) {
      const length = counts.length - offset;
      if (length < shortest || calendarMonth(end - offset) % QUARTER !== 0) continue;
      const known = counts.subarray(0, length);
      if (countObserved(known) < shortest) continue;
      const season = seasonalFactors({ ...series, counts: known }, workspace);
      if (exposureAfter(series, season, length) < MIN_RESPONSE_EXPOSURE) continue;
      cuts.push({ series, season, length, sold: hasSold(counts, length) });
    }
  }
  return cuts;
}

function exposureAfter({ counts, startMonth }: DatedCounts, { factors }: SeasonalFactors, length: number): number {
  let sum = 0;
  for (let t = length; t < Math.min(length + RESPONSE_MONTHS, counts.length); t++) {
    if (!Number.isNaN(counts[t]!)) sum += factors[calendarMonth(startMonth + t)]!;
  }
  return sum;
}

function learnModels(cuts: readonly TrainingCut[], rates: WorkspaceRates): LearnedModels | null {
  if (cuts.length < MIN_TRAINING_ROWS) return null;
  const rows = new Float64Array(cuts.length * FEATURES);
  const logMeans = new Float64Array(cuts.length);
  const means = new Float64Array(cuts.length);
  const chances = new Float64Array(cuts.length);
  cuts.forEach(({ series, season, length, sold }, r) => {
    const exposed = exposeCounts(series, season);
    const scale = demandScale(exposed.demand, sold ? length : exposed.demand.length);
    const scaled = scaleDemand(exposed, scale, series.measured);
    const known = monthsOf(scaled, 0, length);
    writeFeatures(known, rates, rows, r * FEATURES);
    logMeans[r] = Math.log(seriesRate(known, rates.demand));
    const after = monthsOf(scaled, length, length + RESPONSE_MONTHS);
    const mean = sumOf(after.demand) / sumOf(after.exposure);
    means[r] = sold
      ? Math.min(mean, MAX_RESPONSE * known.demand.reduce((largest, value) => Math.max(largest, value), 1))
      : mean;
    chances[r] = new DemandMonths().add(after).chance();
  });
  const level = new Float64Array(cuts.length).fill(logOdds(rates.chance));
  return {
    mean: fitAdditiveModel(rows, means, logMeans, QUASI_POISSON),
    chance: fitAdditiveModel(rows, chances, level, BERNOULLI),
    unsold: unsoldSeries(cuts.filter((cut) => !cut.sold).map((cut) => cut.series)),
  };
}

function monthsOf(series: ScaledDemand, from: number, to: number): ScaledDemand {
  const part = (values: Float64Array): Float64Array => values.subarray(from, to);
  const { demand, exposure, uncertainty } = series;
  return { ...series, demand: part(demand), exposure: part(exposure), uncertainty: part(uncertainty) };
}
