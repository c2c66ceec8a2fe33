import { clamp } from '../../../numeric/clamp.js';
import { MAD_TO_DEVIATION, median } from '../../../numeric/sample-quantile.js';
import { type MonthNumber, SEASON } from '../../types.js';
import { CLIP, ErrorScale } from './error-scale.js';
import {
  expectedValue,
  noiseVariance,
  type ObservedMonth,
  type Prediction,
  type PredictorState,
  type SmoothedLevel,
  writeDistance,
} from './predictor-state.js';
import { COLUMNS, designOf, GROWTH, SeasonalRegression } from './seasonal-regression.js';
import { fasterFrom, growthFactor, NO_GROWTH, type ConstantGrowth } from './constant-growth.js';
import { withoutStep } from './warm-up-step.js';

/** Weight of a new observation in the level, from the month on that a plain mean would give it less. */
const LEVEL_WEIGHT = 0.05;
/** Fewest degrees of freedom that the first scale is given. */
const MIN_FREEDOM = 4;
/** Season and growth are solved for every third month: they hardly move in between, and solving is most of the cost. */
const MONTHS_PER_SOLUTION = 3;
/** Fits of the warm-up after the first, at most: one alone leaves much weight to a month of ten times the usual. */
const MAX_REFITS = 7;
/** Share of the last scatter that the next fit must leave at most to be followed by another: without outliers one is enough. */
const CLEARER = 0.9;
/** Share of the variance that a warm-up without its step leaves at most: what explains less may as well be growth and season. */
const CLEARER_WITHOUT_STEP = 0.4;
/** Rounds of a fit of the warm-up: coefficients, scale and variances of the season in turn. */
const ROUNDS = 4;

/**
 * Causal, robust one-step predictor of regular demand: level + season + growth, the level by simple exponential smoothing, season
 * and growth by regression of its one-step errors on those of the regressors. Such errors are independent where the level is a
 * random walk seen through noise, so this is generalised least squares, and the uncertainty of all three parts is known.
 * Observations further than 2.5 sigmas from their prediction count as that far (Gelper, Fried & Croux, J. Forecasting 29, 2010);
 * nothing later than a month is used at it, so that a replay of a longer history finds what earlier runs found.
 *
 * Growth is a line, or one by a constant percentage: demand is then relative to the latter, so that the regression sees what differs
 * from it, which becomes part of its rate each time that it is solved for. Season and noise then grow with demand.
 */
export class OneStepPredictor {
  private readonly smoothed: SmoothedLevel;
  /** Months that the level is the mean of, until they would weigh less than {@link LEVEL_WEIGHT}. */
  private count = 0;
  private regression = new SeasonalRegression();
  readonly scale = new ErrorScale(1, MIN_FREEDOM);
  /** Months since the regression was solved. */
  private unsolved = 0;
  private readonly row = new Float64Array(COLUMNS);
  private growth: ConstantGrowth;
  private readonly isSteady: boolean;

  /**
   * @param startMonth month of index 0
   * @param observed the first observed months
   * @param growth at a constant rate, to begin with; without it, growth is a line
   */
  constructor(startMonth: MonthNumber, observed: readonly ObservedMonth[], growth?: ConstantGrowth) {
    this.isSteady = growth !== undefined;
    this.growth = growth ?? NO_GROWTH;
    const warmUp = observed.map(({ index, value }) => ({ index, value: this.relative(index, value) }));
    const reference = warmUp.reduce((sum, { value }) => sum + value, 0) / warmUp.length;
    const design = designOf(startMonth);
    this.smoothed = { design, reference, level: 0, regressors: new Float64Array(COLUMNS), levelVariance: 1 };
    this.fitUsual(warmUp);
    const levelled = withoutStep(warmUp);
    if (levelled) this.fitClearer(warmUp, levelled);
  }

  /** What is known before the next observation. */
  state(): PredictorState {
    const { coefficients, factor } = this.regression;
    const { variance, freedom } = this.scale;
    return {
      ...this.smoothed,
      growth: this.growth,
      regressors: this.smoothed.regressors.slice(),
      coefficients,
      factor,
      learned: this.regression.learned(),
      variance,
      freedom,
    };
  }

  /** Growth a year that is not steady, in standard deviations of a month, and the effective number of parameters of season and growth. */
  shape(): { growth: number; parameters: number } {
    const growth = this.regression.coefficients[GROWTH]! / Math.sqrt(this.scale.variance);
    return { growth, parameters: this.regression.effectiveParameters() };
  }

  /** Growth at a constant rate that goes on from month `index` as fast as is expected. */
  constantGrowth(index: number): ConstantGrowth {
    const level = this.levelAt(index);
    return level > 0 ? fasterFrom(this.growth, index, this.regression.coefficients[GROWTH]! / level) : this.growth;
  }

  /** Learns from a month of which `prediction` was made from the present state. */
  update({ index, value }: ObservedMonth, { expected, uncertainty }: Prediction): void {
    const error = this.relative(index, value - expected);
    const clipped = this.scale.record(error, uncertainty, this.smallestVariance());
    this.absorb(index, this.relative(index, expected) + clipped);
    if (++this.unsolved < MONTHS_PER_SOLUTION) return;
    this.solve();
    if (this.isSteady) this.followGrowth(index);
  }

  /**
   * Starts again from the level of `months` after a shift. Season and growth stay as `before` them, and the scale is not widened: what
   * the months of a shift are off by is the shift, and would be expected again of the same months of the next year. The months
   * were chosen for being far off, and count half. Growth is as uncertain as it is large: where it ended, the level that it would have
   * led to would be a new shift each half year.
   */
  restartFrom(months: readonly ObservedMonth[], before: PredictorState): void {
    this.growth = before.growth;
    this.regression.restore(before.learned);
    this.regression.loosenGrowth(
      (before.coefficients[GROWTH]! + before.growth.rate * before.level) ** 2 / before.variance,
    );
    this.solve();
    this.count = 0;
    for (const { index, value } of months) this.smooth(index, this.relative(index, value));
    this.count = Math.ceil(months.length / 2);
    this.smoothed.levelVariance *= months.length / this.count;
    this.scale.dropPending();
  }

  /** Fits a warm-up with its step levelled instead, if that explains it far better: as growth and noise it would hide later shifts. */
  private fitClearer(warmUp: readonly ObservedMonth[], levelled: readonly ObservedMonth[]): void {
    const { variance } = this.scale;
    this.fitUsual(levelled);
    if (this.scale.variance > CLEARER_WITHOUT_STEP * variance) this.fitUsual(warmUp);
  }

  /** Level, season, growth and scale of the warm-up without its outliers. */
  private fitUsual(warmUp: readonly ObservedMonth[]): void {
    this.fit(warmUp);
    this.drawOutliers(warmUp);
  }

  /** Fits the warm-up anew with outliers drawn to what the last fit expected of them, for as long as that shows them more clearly. */
  private drawOutliers(warmUp: readonly ObservedMonth[]): void {
    let bound = Infinity;
    for (let refits = 0; refits < MAX_REFITS; refits++) {
      const errors = warmUp.map(({ index, value }) => value - this.fitted(index));
      const last = bound;
      bound = CLIP * Math.max(MAD_TO_DEVIATION * median(errors.map(Math.abs)), Math.sqrt(this.smallestVariance()));
      if (bound > CLEARER * last || errors.every((error) => Math.abs(error) <= bound)) return;
      this.fit(
        warmUp.map(({ index, value }, i) => ({ index, value: value - errors[i]! + clamp(errors[i]!, -bound, bound) })),
      );
    }
  }

  /** Level, season, growth and scale of the warm-up from scratch. */
  private fit(points: readonly ObservedMonth[]): void {
    this.regression = new SeasonalRegression();
    this.count = 0;
    for (const { index, value } of points) this.absorb(index, value);
    const total = points.reduce((sum, { value }) => sum + (value - this.smoothed.reference) ** 2, 0);
    this.scale.variance = Math.max(total / points.length, this.smallestVariance());
    for (let round = 0; round < ROUNDS; round++) {
      this.solve();
      const squares = points.reduce((sum, { index, value }) => {
        const fitted = this.fitted(index);
        return sum + (value - fitted) ** 2 / noiseVariance(this.smoothed, fitted);
      }, 0);
      this.scale.freedom = Math.max(points.length - 1 - this.regression.effectiveParameters(), MIN_FREEDOM);
      this.scale.variance = Math.max(squares / this.scale.freedom, this.smallestVariance());
    }
  }

  private solve(): void {
    this.regression.solve(this.scale.variance);
    this.unsolved = 0;
  }

  /** Makes growth beside the steady one part of it. What is expected of month `index` stays the same, and to first order of others. */
  private followGrowth(index: number): void {
    const level = this.levelAt(index);
    const growth = this.constantGrowth(index);
    const change = (growth.rate - this.growth.rate) * level;
    this.growth = growth;
    this.smoothed.level += change * (index / SEASON - this.smoothed.regressors[GROWTH]!);
    this.regression.takeGrowth(change);
  }

  /** Level of month `index` without its season. */
  private levelAt(index: number): number {
    const { level, regressors } = this.smoothed;
    const { coefficients } = this.regression;
    let sum = level + (index / SEASON) * coefficients[GROWTH]!;
    for (let i = 0; i < COLUMNS; i++) sum -= regressors[i]! * coefficients[i]!;
    return sum;
  }

  private relative(index: number, value: number): number {
    return value / growthFactor(this.growth, index);
  }

  private fitted(index: number): number {
    return expectedValue(this.smoothed, this.regression.coefficients, index);
  }

  /** A constant history has no scale of its own; a ten-thousandth of its level keeps scores finite. */
  private smallestVariance(): number {
    return Math.max(1e-8 * this.smoothed.level * this.smoothed.level, 1e-24);
  }

  /** Adds a month to the regression and to the level. */
  private absorb(index: number, value: number): void {
    if (this.count > 0) {
      const { level, levelVariance } = this.smoothed;
      const noise = noiseVariance(this.smoothed, this.fitted(index));
      writeDistance(this.smoothed, index, this.row);
      this.regression.add(this.row, value - level, 1 / (noise + levelVariance));
    }
    this.smooth(index, value);
  }

  private smooth(index: number, value: number): void {
    const { smoothed } = this;
    this.count++;
    const weight = Math.max(1 / this.count, LEVEL_WEIGHT);
    smoothed.levelVariance = (1 - weight) ** 2 * smoothed.levelVariance + weight ** 2 * noiseVariance(smoothed, value);
    smoothed.level += weight * (value - smoothed.level);
    const row = smoothed.design(index);
    for (let i = 0; i < COLUMNS; i++) smoothed.regressors[i]! += weight * (row[i]! - smoothed.regressors[i]!);
  }
}
