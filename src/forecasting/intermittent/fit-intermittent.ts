import { fitAdditiveModel } from './additive-model.js';
import { pooledDispersion } from './dispersion.js';
import { FEATURES, writeFeatures } from './features.js';
import type { IntermittentModel, LearntModels } from './intermittent-model.js';
import { BERNOULLI, QUASI_POISSON } from './losses.js';
import { demandScale, logOdds, scaleDemand, seriesRates, workspaceRates, type WorkspaceRates } from './rates.js';
import { learnCountSeason, withoutSeason, type SeasonlessDemand } from './season/count-season.js';
import { countByMonth, type MonthlyDemand } from './season/month-sums.js';
import { hasSold, unsoldSeries } from './unsold-series.js';

/** Months before the end at which histories are cut to form rows to learn from. */
const TRAINING_OFFSETS = [6, 9, 12, 15, 18, 24];
/** Months that a cut leaves at least. */
const SMALLEST_TRAINING_HISTORY = 12;
/** Share of a history that a cut leaves at least, since shorter parts are too unlike the whole; best of 0, .5, .55, .6 and .67. */
const SMALLEST_TRAINING_SHARE = 0.6;
/** Responses are means over up to this many months after the cut. */
const RESPONSE_MONTHS = 12;
/** Fewer rows than this teach nothing about series in general. */
const SMALLEST_TRAINING_ROWS = 40;

/** The first `length` months of a series, to be learnt from beside what came after them. */
interface TrainingCut {
  readonly series: SeasonlessDemand;
  readonly length: number;
  /** Whether the series had any demand by then. */
  readonly sold: boolean;
}

/** Learns the pooled model from the intermittent histories of a workspace (NaN = missing; any unit). */
export function fitIntermittent(histories: readonly MonthlyDemand[]): IntermittentModel {
  const dated = histories.map(countByMonth);
  const season = learnCountSeason(dated);
  const counted = dated.map((series) => withoutSeason(series, season));
  const demands = counted.map(({ counts }) => scaleDemand(counts, demandScale(counts, counts.length)).demand);
  const rates = workspaceRates(demands);
  const learnt = learnModels(trainingCuts(counted), rates);
  return { rates, learnt, dispersion: pooledDispersion(demands, rates), season };
}

function trainingCuts(counted: readonly SeasonlessDemand[]): TrainingCut[] {
  const cuts: TrainingCut[] = [];
  for (const series of counted) {
    const { counts } = series;
    const shortest = Math.max(SMALLEST_TRAINING_HISTORY, SMALLEST_TRAINING_SHARE * counts.length);
    for (const offset of TRAINING_OFFSETS) {
      const length = counts.length - offset;
      if (length >= shortest) cuts.push({ series, length, sold: hasSold(counts, length) });
    }
  }
  return cuts;
}

function learnModels(cuts: readonly TrainingCut[], rates: WorkspaceRates): LearntModels | null {
  if (cuts.length < SMALLEST_TRAINING_ROWS) return null;
  const rows = new Float64Array(cuts.length * FEATURES);
  const logMeans = new Float64Array(cuts.length);
  const means = new Float64Array(cuts.length);
  const chances = new Float64Array(cuts.length);
  cuts.forEach(({ series: { counts }, length, sold }, r) => {
    const { demand, scale } = scaleDemand(counts, demandScale(counts, sold ? length : counts.length));
    const known = demand.subarray(0, length);
    writeFeatures({ demand: known, scale }, rates, rows, r * FEATURES);
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
