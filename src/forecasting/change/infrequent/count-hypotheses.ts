import { clamp } from '../../../numeric/clamp.js';
import type { Direction } from '../types.js';
import { CountLevel, countProbabilities, countRatios, CountTable } from './count-tables.js';

/** A shift that is looked for in the latest months of counts. */
export interface CountShift {
  readonly direction: Direction;
  /** Mean that a level has after it; the dispersion stays. */
  readonly shifted: (level: CountLevel) => number;
  /** Months that it is looked for in, at most. */
  readonly longest: number;
  /** Log likelihood ratio that a shift of so many months must exceed. */
  readonly limit: (months: number) => number;
}

/** Probabilities of a month's counts at each level, and their likelihood ratios for each shift. */
export interface CountTables {
  readonly probabilities: CountTable;
  /** For each shift, likelihood ratios of a count: after the shift over before it. */
  readonly ratios: readonly CountTable[];
}

/** Seasonal factors are rounded to steps of a fifth, from a twentieth to six times the mean. */
const FACTOR_STEP = Math.log(1.2);
const MIN_STEP = -16;
const MAX_STEP = 10;

/** The levels that are considered and the shifts from them, with the probabilities of counts at every seasonal factor. */
export class CountHypotheses {
  private readonly tables = new Map<number, CountTables>();

  constructor(
    readonly levels: readonly CountLevel[],
    readonly shifts: readonly CountShift[],
  ) {}

  /** Tables of a month with the seasonal factor `factor`, before and after a shift. */
  at(factor: number): CountTables {
    const step = clamp(Math.round(Math.log(factor) / FACTOR_STEP), MIN_STEP, MAX_STEP);
    const known = this.tables.get(step);
    if (known) return known;
    const tables = this.tablesOf(Math.exp(step * FACTOR_STEP));
    this.tables.set(step, tables);
    return tables;
  }

  private tablesOf(factor: number): CountTables {
    const means = (mean: (level: CountLevel) => number): CountLevel[] =>
      this.levels.map((level) => ({ mean: factor * mean(level), dispersion: level.dispersion }));
    const before = countProbabilities(means(({ mean }) => mean));
    return {
      probabilities: before,
      ratios: this.shifts.map(({ shifted }) => countRatios(countProbabilities(means(shifted)), before)),
    };
  }
}
