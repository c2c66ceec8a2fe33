import { sumOf } from '../../../numeric/sum.js';
import type { CountHypotheses } from './count-hypotheses.js';
import { MAX_COUNT } from './count-tables.js';
import type { Direction } from '../types.js';

/** The latest months that show a shift most clearly. */
export interface ShiftEvidence {
  readonly direction: Direction;
  /** Their log likelihood ratio less its limit: an alarm when positive. */
  readonly margin: number;
  readonly months: number;
}

/**
 * Evidence of the latest months of a count series for a shift: the ratio of the probabilities of all counts with the shift and
 * without it, for each month that it may have come in (generalised likelihood ratio in a window: Lai, JRSS B 57, 1995). Neither
 * the level before the shift nor whether there is a season is known: both probabilities are averages over all levels of the
 * hypotheses, without and with the season (Pollak & Siegmund, Annals of Statistics 19, 1991). A level known from few months thus
 * counts for less than one known from many.
 */
export class ShiftLikelihoodRatio {
  /** Posterior probability of each level: all levels without the season, then all with it. */
  private readonly weights: Float64Array;
  /** For each shift and each of the latest months, newest first: likelihood ratios at all levels, without and with the season. */
  private readonly latest: (readonly [Float64Array, Float64Array])[][];
  private readonly products: Float64Array;
  private months = 0;

  /** @param seasonal probability, before the first count, that demand has the season */
  constructor(
    private readonly hypotheses: CountHypotheses,
    seasonal: number,
  ) {
    const levels = hypotheses.levels.length;
    this.weights = new Float64Array(2 * levels)
      .fill((1 - seasonal) / levels, 0, levels)
      .fill(seasonal / levels, levels);
    this.products = new Float64Array(2 * levels);
    this.latest = hypotheses.shifts.map(() => []);
  }

  /** Adds a month's count; `factor` is the seasonal factor of the month, if there is a season. */
  record(count: number, factor: number): void {
    const x = Math.min(count, MAX_COUNT);
    const plain = this.hypotheses.at(1);
    const seasonal = this.hypotheses.at(factor);
    this.hypotheses.shifts.forEach(({ longest }, i) => {
      const latest = this.latest[i]!;
      latest.unshift([plain.ratios[i]![x]!, seasonal.ratios[i]![x]!]);
      if (latest.length > longest) latest.pop();
    });
    const sum = multiply(this.weights, plain.probabilities[x]!, seasonal.probabilities[x]!);
    for (let j = 0; j < this.weights.length; j++) this.weights[j]! /= sum;
    this.months++;
  }

  /** Posterior probability that demand has the season. */
  seasonal(): number {
    return sumOf(this.weights, this.hypotheses.levels.length);
  }

  /** Evidence for each shift; of -Infinity before two months are recorded, since the first can be no shift. */
  evidence(): ShiftEvidence[] {
    return this.hypotheses.shifts.map(({ direction, limit }, i) => {
      let best: ShiftEvidence = { direction, margin: -Infinity, months: 0 };
      this.products.set(this.weights);
      const latest = this.latest[i]!;
      const longest = Math.min(latest.length, this.months - 1);
      for (let months = 1; months <= longest; months++) {
        const [plain, seasonal] = latest[months - 1]!;
        const margin = Math.log(multiply(this.products, plain, seasonal)) - limit(months);
        if (margin > best.margin) best = { direction, margin, months };
      }
      return best;
    });
  }
}

/** Multiplies the numbers of all levels without the season by `plain` and those with it by `seasonal`; the sum of the products. */
function multiply(numbers: Float64Array, plain: Float64Array, seasonal: Float64Array): number {
  const levels = plain.length;
  let sum = 0;
  for (let j = 0; j < levels; j++) {
    sum += numbers[j]! *= plain[j]!;
    sum += numbers[levels + j]! *= seasonal[j]!;
  }
  return sum;
}
