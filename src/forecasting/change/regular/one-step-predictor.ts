import { calendarMonth } from '../../calendar.js';
import { solveLower } from '../../../numeric/cholesky.js';
import { median } from '../../../numeric/sample-quantile.js';
import type { MonthNumber } from '../../types.js';
import { ErrorScale } from './error-scale.js';
import { normalScore } from '../../../numeric/normal-score.js';
import { COLUMNS, GROWTH, regressors, SeasonalRegression } from './seasonal-regression.js';

/** Weight of a new observation in the level, from the month on that a plain mean would give it less. */
const LEVEL_WEIGHT = 0.05;
/** Errors are clipped at this many sigmas before they move any estimate. */
const CLIP = 2.5;
/** Fewest degrees of freedom that the first scale is given. */
const SMALLEST_FREEDOM = 4;
/** Season and growth are solved for every third month: they hardly move in between, and solving is most of the cost. */
const MONTHS_PER_SOLUTION = 3;
/** Fits of the warm-up after the first, at most: one alone leaves much weight to a month of ten times the usual. */
const MAX_REFITS = 7;
/** Share of the last scatter that the next fit must leave at most to be followed by another: without outliers one is enough. */
const CLEARER = 0.9;
/** Rounds of a fit of the warm-up: coefficients, scale and variances of the season in turn. */
const ROUNDS = 4;
/** A month's noise is taken for at most this many times that of the warm-up's mean month, and for at least its inverse. */
const LARGEST_NOISE = 8;

/** A month with an observation. */
export interface ObservedMonth {
  /** Index in the history. */
  readonly index: number;
  /** Demand on the predictor's scale. */
  readonly value: number;
}

/** What is known before a month. */
export interface PredictorState {
  /** Smoothed demand, and the smoothed regressors that belong to it. */
  readonly level: number;
  readonly columns: Float64Array;
  /** Variance of the level in variances of one month. */
  readonly levelVariance: number;
  readonly coefficients: Float64Array;
  /** Lower Cholesky factor of the coefficients' precision. */
  readonly factor: Float64Array;
  /** What season and growth were learnt from. */
  readonly learnt: Float64Array;
  /** Variance of one month, and its degrees of freedom. */
  readonly variance: number;
  readonly freedom: number;
}

/** The part of a state that predictions are made of. */
type Fitted = Pick<PredictorState, 'level' | 'columns' | 'coefficients'>;

/**
 * Causal, robust one-step predictor of regular demand: level + season + growth, the level by simple exponential smoothing, season
 * and growth by regression of its one-step errors on those of the regressors. Such errors are independent where the level is a
 * random walk seen through noise, so this is generalised least squares, and the uncertainty of all three parts is known.
 * Observations further than 2.5 sigmas from their prediction count as that far (Gelper, Fried & Croux, J. Forecasting 29, 2010);
 * nothing later than a month is used at it, so that a replay of a longer history finds what earlier runs found.
 */
export class OneStepPredictor {
  private level = 0;
  /** Mean of the warm-up, on the predictor's scale. */
  private readonly reference: number;
  private levelVariance = 1;
  private count = 0;
  private readonly columns = new Float64Array(COLUMNS);
  private regression = new SeasonalRegression();
  private readonly scale = new ErrorScale(1, SMALLEST_FREEDOM);
  /** Months since the regression was solved. */
  private unsolved = 0;
  private readonly row = new Float64Array(COLUMNS);
  private readonly whitened = new Float64Array(COLUMNS);

  /**
   * @param startMonth month of index 0
   * @param warmUp the first observed months
   */
  constructor(
    private readonly startMonth: MonthNumber,
    warmUp: readonly ObservedMonth[],
  ) {
    this.reference = warmUp.reduce((sum, { value }) => sum + value, 0) / warmUp.length;
    this.fit(warmUp);
    this.drawOutliers(warmUp);
  }

  /** What is known before the next observation. */
  state(): PredictorState {
    const { coefficients, factor } = this.regression;
    return {
      level: this.level,
      columns: this.columns.slice(),
      levelVariance: this.levelVariance,
      coefficients,
      factor,
      learnt: this.regression.learnt(),
      variance: this.scale.variance,
      freedom: this.scale.freedom,
    };
  }

  /** Expected value of month `index` as `state` knows it. */
  expected({ level, columns, coefficients }: Fitted, index: number): number {
    this.distance(columns, index, this.row);
    let sum = level;
    for (let i = 0; i < COLUMNS; i++) sum += this.row[i]! * coefficients[i]!;
    return sum;
  }

  /**
   * Writes to `out` the vector u of month `index`, as long as there are coefficients: two months' predictions from `state` have
   * errors with covariance u'v + the variance of the level, in variances of one month, besides the months' own noise.
   */
  loading(state: PredictorState, index: number, out: Float64Array): void {
    this.distance(state.columns, index, out);
    solveLower(state.factor, COLUMNS, out, out);
  }

  /**
   * Variance of a month's own noise where `expected` is expected, in variances of the warm-up's mean month. Demand's variance is
   * taken to grow with the power 1.75 of its mean (power law: Taylor, Nature 189, 1961), between counts (1) and constant relative
   * scatter (2); that of its root then grows with the power 1.5 of the root.
   */
  noise(expected: number): number {
    if (!(this.reference > 0)) return 1;
    const ratio = Math.max(expected / this.reference, 0);
    return Math.max(1 / LARGEST_NOISE, Math.min(LARGEST_NOISE, ratio * Math.sqrt(ratio)));
  }

  /** Score of a prediction error of month `index`: standard normal while nothing changes. */
  score(state: PredictorState, index: number, error: number): number {
    return normalScore(error / Math.sqrt(state.variance * this.uncertainty(state, index)), state.freedom);
  }

  /** Factor (<= 1) by which scores shrink before they are summed, see {@link ErrorScale.serialCorrelationFactor}. */
  serialCorrelationFactor(): number {
    return this.scale.serialCorrelationFactor();
  }

  /** Growth a year in standard deviations of a month, and the effective number of parameters of season and growth. */
  shape(): { growth: number; parameters: number } {
    const growth = this.regression.coefficients[GROWTH]! / Math.sqrt(this.scale.variance);
    return { growth, parameters: this.regression.effectiveParameters() };
  }

  /** Learns from the observation of month `index`; `state` is the present one. */
  update(state: PredictorState, index: number, value: number): void {
    const prediction = this.expected(state, index);
    const uncertainty = this.uncertainty(state, index);
    const bound = CLIP * Math.sqrt(this.scale.variance * uncertainty);
    const clipped = Math.max(-bound, Math.min(bound, value - prediction));
    this.scale.record(value - prediction, clipped, uncertainty, this.smallestVariance());
    this.absorb(index, prediction + clipped);
    if (++this.unsolved >= MONTHS_PER_SOLUTION) {
      this.regression.solve(this.scale.variance);
      this.unsolved = 0;
    }
  }

  /** A missing month: nothing is learnt. */
  skip(): void {
    this.scale.interrupt();
  }

  /**
   * Starts again from the level of `months` after a shift. Season and growth stay as `before` them, and the scale is not widened: what
   * the months of a shift are off by is the shift, and would be expected again of the same months of the next year. The months
   * were chosen for being far off, and count half.
   */
  restartFrom(months: readonly ObservedMonth[], before: PredictorState): void {
    this.regression.restore(before.learnt);
    this.regression.solve(this.scale.variance);
    this.unsolved = 0;
    this.count = 0;
    for (const { index, value } of months) this.smooth(index, value);
    this.count = Math.ceil(months.length / 2);
    this.levelVariance *= months.length / this.count;
    this.scale.dropPending();
  }

  /** Fits the warm-up anew with outliers drawn to what the last fit expected of them, for as long as that shows them more clearly. */
  private drawOutliers(warmUp: readonly ObservedMonth[]): void {
    let bound = Infinity;
    for (let refits = 0; refits < MAX_REFITS; refits++) {
      const errors = warmUp.map(({ index, value }) => value - this.fitted(index));
      const last = bound;
      bound = CLIP * Math.max(1.4826 * median(errors.map(Math.abs)), Math.sqrt(this.smallestVariance()));
      if (bound > CLEARER * last || errors.every((error) => Math.abs(error) <= bound)) return;
      const drawn = warmUp.map(({ index, value }, i) => ({
        index,
        value: value - errors[i]! + Math.max(-bound, Math.min(bound, errors[i]!)),
      }));
      this.fit(drawn);
    }
  }

  /** Level, season, growth and scale of the warm-up from scratch. */
  private fit(points: readonly ObservedMonth[]): void {
    this.regression = new SeasonalRegression();
    this.count = 0;
    for (const { index, value } of points) this.absorb(index, value);
    const total = points.reduce((sum, { value }) => sum + (value - this.reference) ** 2, 0);
    this.scale.variance = Math.max(total / points.length, this.smallestVariance());
    for (let round = 0; round < ROUNDS; round++) {
      this.regression.solve(this.scale.variance);
      const squares = points.reduce((sum, { index, value }) => {
        const fitted = this.fitted(index);
        return sum + (value - fitted) ** 2 / this.noise(fitted);
      }, 0);
      this.scale.freedom = Math.max(points.length - 1 - this.regression.effectiveParameters(), SMALLEST_FREEDOM);
      this.scale.variance = Math.max(squares / this.scale.freedom, this.smallestVariance());
    }
  }

  private fitted(index: number): number {
    const { level, columns } = this;
    return this.expected({ level, columns, coefficients: this.regression.coefficients }, index);
  }

  /** A constant history has no scale of its own; a ten-thousandth of its level keeps scores finite. */
  private smallestVariance(): number {
    return Math.max(1e-8 * this.level * this.level, 1e-24);
  }

  /** Adds a month to the regression and to the level. */
  private absorb(index: number, value: number): void {
    if (this.count > 0) {
      const noise = this.noise(this.fitted(index));
      this.distance(this.columns, index, this.whitened);
      this.regression.add(this.whitened, value - this.level, 1 / (noise + this.levelVariance));
    }
    this.smooth(index, value);
  }

  private smooth(index: number, value: number): void {
    this.count++;
    const weight = Math.max(1 / this.count, LEVEL_WEIGHT);
    this.levelVariance = (1 - weight) ** 2 * this.levelVariance + weight ** 2 * this.noise(value);
    regressors(calendarMonth(this.startMonth + index), index, this.row);
    this.level += weight * (value - this.level);
    for (let i = 0; i < COLUMNS; i++) this.columns[i]! += weight * (this.row[i]! - this.columns[i]!);
  }

  /** Regressors of month `index` less the smoothed ones. */
  private distance(columns: Float64Array, index: number, out: Float64Array): void {
    regressors(calendarMonth(this.startMonth + index), index, out);
    for (let i = 0; i < COLUMNS; i++) out[i]! -= columns[i]!;
  }

  /** Variance of a prediction error in variances of one month. */
  private uncertainty(state: PredictorState, index: number): number {
    this.loading(state, index, this.whitened);
    let sum = this.noise(this.expected(state, index)) + state.levelVariance;
    for (let i = 0; i < COLUMNS; i++) sum += this.whitened[i]! * this.whitened[i]!;
    return sum;
  }
}
