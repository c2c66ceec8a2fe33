import { SEASONAL_BASIS, SEASONAL_COLUMNS } from '../../calendar-regression/regressors.js';
import { choleskyFactor, inverseDiagonal, solveCholesky } from '../../../numeric/cholesky.js';
import { calendarMonth } from '../../calendar.js';
import { type MonthNumber, SEASON } from '../../types.js';

/** Columns: the seasonal basis, and years since the first month. */
export const COLUMNS = SEASONAL_COLUMNS + 1;
/** Column of growth. */
export const GROWTH = COLUMNS - 1;

/**
 * Columns that share a variance, with a first guess of it in variances of one month and how many coefficients that counts for: the
 * yearly wave, the half-yearly one, the rest of the seasonal basis, and growth a year. Half a sigma of growth is common; with a guess that
 * counts less, an episode late in the warm-up is taken for growth, and its end reported.
 */
const GROUPS = [
  { first: 0, end: 2, guess: 2, weight: 1 },
  { first: 2, end: 4, guess: 0.5, weight: 1 },
  { first: 4, end: SEASONAL_COLUMNS, guess: 0.05, weight: 1 },
  { first: GROWTH, end: COLUMNS, guess: 0.25, weight: 24 },
] as const;
/** Weight that a row keeps from month to month (half after twelve years): season and growth change slowly. */
const MEMORY = 0.995;
/** A variance is not taken for smaller than this, so that a season may still show. */
const MIN_VARIANCE = 1e-3;

/** The regressors of a month by its index in a history that begins in `startMonth`, one a column; each row is made once. */
export function designOf(startMonth: MonthNumber): (index: number) => Float64Array {
  const rows: Float64Array[] = [];
  return (index) => (rows[index] ??= regressors(startMonth + index, index));
}

function regressors(month: MonthNumber, index: number): Float64Array {
  const row = new Float64Array(COLUMNS);
  const from = calendarMonth(month) * SEASONAL_COLUMNS;
  for (let i = 0; i < SEASONAL_COLUMNS; i++) row[i] = SEASONAL_BASIS[from + i]!;
  row[GROWTH] = index / SEASON;
  return row;
}

/**
 * Season and growth by Bayesian regression: coefficients have normal priors of mean zero, with variances of three groups of seasonal
 * harmonics and of growth, each learned with them by one step of expectation-maximisation a solution (empirical Bayes). Variances
 * are in units of that of one month.
 */
export class SeasonalRegression {
  coefficients = new Float64Array(COLUMNS);
  /** Lower Cholesky factor of the posterior precision, row-major. */
  factor = new Float64Array(COLUMNS * COLUMNS);
  /** What the rows have taught, in one array: a copy is kept for every month. */
  private readonly memory = new Float64Array((COLUMNS + 2) * COLUMNS);
  private readonly precision = this.memory.subarray(0, COLUMNS * COLUMNS);
  private readonly products = this.memory.subarray(COLUMNS * COLUMNS, (COLUMNS + 1) * COLUMNS);
  private readonly ridge = this.memory.subarray((COLUMNS + 1) * COLUMNS);
  private readonly posteriorVariance = new Float64Array(COLUMNS);
  private readonly scratch = new Float64Array(COLUMNS);

  constructor() {
    for (const { first, end, guess } of GROUPS) this.ridge.fill(1 / guess, first, end);
  }

  /** Adds a row of regressors and its response, of which the variance is 1 / `weight`. */
  add(row: Float64Array, response: number, weight: number): void {
    for (let i = 0; i < COLUMNS; i++) {
      const scaled = weight * row[i]!;
      this.products[i] = MEMORY * this.products[i]! + scaled * response;
      for (let j = 0; j <= i; j++) {
        const at = i * COLUMNS + j;
        this.precision[at] = MEMORY * this.precision[at]! + scaled * row[j]!;
      }
    }
  }

  /** Takes growth by `change` a year out of the responses so far: what is left of them is regressed on from here on. */
  takeGrowth(change: number): void {
    this.coefficients = this.coefficients.slice();
    this.coefficients[GROWTH]! -= change;
    for (let i = 0; i < COLUMNS; i++) this.products[i]! -= change * this.precision[GROWTH * COLUMNS + i]!;
  }

  /** Adds to the variance that the rows leave growth a year, as if it had changed by so much since (a step of a Kalman filter). */
  loosenGrowth(variance: number): void {
    const column = this.precision.slice(GROWTH * COLUMNS);
    const product = this.products[GROWTH]!;
    const share = variance / (1 + variance * column[GROWTH]!);
    for (let i = 0; i < COLUMNS; i++) {
      this.products[i]! -= share * column[i]! * product;
      for (let j = 0; j <= i; j++) this.precision[i * COLUMNS + j]! -= share * column[i]! * column[j]!;
    }
  }

  /** What the rows so far have taught, to go back to. */
  learned(): Float64Array {
    return this.memory.slice();
  }

  /** Forgets all rows since `learned`; {@link solve} does so for the coefficients. */
  restore(learned: Float64Array): void {
    this.memory.set(learned);
  }

  /** Coefficients and their precision from the rows so far, then the variances of the groups; `variance` is that of one month. */
  solve(variance: number): void {
    // New arrays each time: states keep those they saw.
    this.factor = new Float64Array(COLUMNS * COLUMNS);
    this.coefficients = new Float64Array(COLUMNS);
    choleskyFactor(this.precision, this.ridge, COLUMNS, this.factor);
    solveCholesky(this.factor, COLUMNS, this.products, this.coefficients);
    inverseDiagonal(this.factor, COLUMNS, this.scratch, this.posteriorVariance);
    for (const { first, end, guess, weight } of GROUPS) {
      let sum = weight * guess;
      for (let i = first; i < end; i++) sum += this.coefficients[i]! ** 2 / variance + this.posteriorVariance[i]!;
      this.ridge.fill(1 / Math.max(sum / (end - first + weight), MIN_VARIANCE), first, end);
    }
  }

  /** Effective number of parameters: coefficients that the rows decide rather than the priors, 0 .. 12. */
  effectiveParameters(): number {
    let count = COLUMNS;
    for (let i = 0; i < COLUMNS; i++) count -= this.ridge[i]! * this.posteriorVariance[i]!;
    return Math.max(count, 0);
  }
}
