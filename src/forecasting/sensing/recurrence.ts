import { clamp } from '../../numeric/clamp.js';
import { QUARTERS } from './month-profile.js';
import type { MonthBuildUp } from './share-curve.js';
import type { MonthNumber } from '../types.js';

/** Pairs of months a year apart that speak for nothing recurring, beside those observed. */
const PRIOR_PAIRS = 6;

/** What a calendar month shows year after year: public holidays, the customs of a trade. Measured over a workspace. */
export class Recurrence {
  /** Excess by month, less the mean of all. */
  private readonly excess: ReadonlyMap<MonthNumber, readonly number[]>;
  /** How much of a month's excess the same month of the next year repeats, 0..1. */
  readonly strength: number;

  constructor(months: readonly MonthBuildUp[]) {
    const means = QUARTERS.map((_, q) => months.reduce((sum, month) => sum + month.excess[q]!, 0) / months.length);
    this.excess = new Map(months.map(({ month, excess }) => [month, excess.map((value, q) => value - means[q]!)]));
    let pairs = 0;
    let product = 0;
    let square = 0;
    for (const [month, after] of this.excess) {
      const before = this.excess.get(month - 12);
      if (!before) continue;
      pairs++;
      QUARTERS.forEach((_, q) => {
        product += before[q]! * after[q]!;
        square += before[q]! * before[q]!;
      });
    }
    const slope = square > 0 ? clamp(product / square, 0, 1) : 0;
    this.strength = (slope * pairs) / (pairs + PRIOR_PAIRS);
  }

  /** Whether the same month of the year before is known. */
  knows(month: MonthNumber): boolean {
    return this.excess.has(month - 12);
  }

  /** Excess expected of a month after quarter `q` (0, 1, 2) because the same month of the year before showed it. */
  excessAt(month: MonthNumber, q: number): number {
    return this.strength * (this.excess.get(month - 12)?.[q] ?? 0);
  }
}
