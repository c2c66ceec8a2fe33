import { SEASONAL_BASIS, SEASONAL_COLUMNS } from '../../calendar-regression/regressors.js';
import { choleskyFactor, inverseDiagonal, solveCholesky } from '../../../numeric/cholesky.js';
import { calendarMonth } from '../../calendar.js';
import { type MonthNumber, SEASON } from '../../types.js';

/** Columns: the seasonal basis, and years since the first month. */
export const COLUMNS = SEASONAL_COLUMNS + 1;
/** Column of growth. */
export const GROWTH = COLUMNS - 1;

/** Terms of the seasonal basis that share a variance: the yearly wave, the half-yearly one, the rest. */
const GROUPS = [
  { first: 0, end: 2, guess: 2 },
  { first: 2, end: 4, guess: 0.5 },
  { first: 4, end: SEASONAL_COLUMNS, guess: 0.05 },
] as const;
/** Variance of growth a year, in variances of one month: half a sigma a year is common. */
const GROWTH_VARIANCE = 0.25;
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
 * Season and growth by Bayesian regression: coefficients have normal priors of mean zero, those of growth a fixed variance, those
 * of the seasonal harmonics variances of three groups, each learned with them by one step of expectation-maximisation a month
 * (empirical Bayes). Variances are in units of that of one month.
 */
export class SeasonalRegression {
  coefficients = new Float64Array(COLUMNS);
  /** Lower Cholesky factor of the posterior precision, row-major. */
  factor = new Float64Array(COLUMNS * COLUMNS);
  /** What the rows have taught, in one array: a copy is kept for every month. */
  private readonly memory = new Float64Array((COLUMNS + 2) * COLUMNS);
  private readonly precision = this.memory.subarray(0, COLUMNS * COLUMNS);
  private readonly products = this.memory.subarray(COLUMNS * COLUMNS, (COLUMNS + 1) * COLUMNS);
  private readonly ridge = this.memory.subarray((COLUMNS + 1) * COLUMNS).fill(1 / GROWTH_VARIANCE);
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
    for (const { first, end, guess } of GROUPS) {
      let sum = guess;
      for (let i = first; i < end; i++) sum += this.coefficients[i]! ** 2 / variance + this.posteriorVariance[i]!;
      this.ridge.fill(1 / Math.max(sum / (end - first + 1), MIN_VARIANCE), first, end);
    }
  }

  /** Effective number of parameters: coefficients that the rows decide rather than the priors, 0 .. 12. */
  effectiveParameters(): number {
    let count = COLUMNS;
    for (let i = 0; i < COLUMNS; i++) count -= this.ridge[i]! * this.posteriorVariance[i]!;
    return Math.max(count, 0);
  }
}
