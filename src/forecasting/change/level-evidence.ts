import { CountTable, LARGEST_COUNT } from './count-model.js';

/** A shift that is looked for in the latest months of counts. */
export interface CountShift {
  /** 1 when it is a rise, -1 when it is a fall. */
  readonly direction: 1 | -1;
  /** How many times as probable counts are after it. */
  readonly ratios: CountTable;
  /** Months that it is looked for in, at most. */
  readonly longest: number;
  /** Evidence that so many months must bring: logarithm of a ratio of probabilities. */
  readonly limit: (months: number) => number;
}

/** The latest months that speak most clearly for a shift. */
export interface ShiftEvidence {
  readonly direction: 1 | -1;
  /** Their evidence beyond its limit: an alarm when positive. */
  readonly margin: number;
  readonly months: number;
}

/**
 * How much the latest months of a count series speak for a shift, whatever its level was before: the ratio of the probabilities
 * of all counts with the shift and without it, both averaged over all levels that are thought possible, for each month that it
 * may have come in (generalised likelihood ratio in a window: Lai, JRSS B 57, 1995; an initial level that is not known: Pollak &
 * Siegmund, Annals of Statistics 19, 1991). A level known from few months counts for less than one known from many, without a rule.
 */
export class LevelEvidence {
  /** Probability of each level by the counts so far, all alike before the first. */
  private readonly weights: Float64Array;
  /** For each shift: products of the ratios of the latest 1, 2, ... months. */
  private readonly windows: readonly Float64Array[][];
  private months = 0;

  constructor(
    private readonly probabilities: CountTable,
    private readonly shifts: readonly CountShift[],
  ) {
    const levels = probabilities[0]!.length;
    this.weights = new Float64Array(levels).fill(1 / levels);
    this.windows = shifts.map(() => []);
  }

  record(count: number): void {
    const x = Math.min(count, LARGEST_COUNT);
    this.shifts.forEach(({ ratios, longest }, i) => lengthen(this.windows[i]!, ratios[x]!, longest));
    const probability = this.probabilities[x]!;
    let sum = 0;
    for (let j = 0; j < probability.length; j++) sum += this.weights[j]! *= probability[j]!;
    for (let j = 0; j < probability.length; j++) this.weights[j]! /= sum;
    this.months++;
  }

  /** Evidence for each shift; of -Infinity before two months are recorded, since the first can be no shift. */
  evidence(): ShiftEvidence[] {
    return this.shifts.map(({ direction, limit }, i) => {
      let best: ShiftEvidence = { direction, margin: -Infinity, months: 0 };
      this.windows[i]!.slice(0, this.months - 1).forEach((ratios, before) => {
        const months = before + 1;
        let ratio = 0;
        for (let j = 0; j < ratios.length; j++) ratio += this.weights[j]! * ratios[j]!;
        const margin = Math.log(ratio) - limit(months);
        if (margin > best.margin) best = { direction, margin, months };
      });
      return best;
    });
  }
}

/** Makes the products of the last 1, 2, ... months those of one month more, and puts that month by itself before them. */
function lengthen(windows: Float64Array[], latest: Float64Array, longest: number): void {
  const freed = windows.length < longest ? new Float64Array(latest.length) : windows.pop()!;
  windows.unshift(freed.fill(1));
  for (const window of windows) for (let j = 0; j < latest.length; j++) window[j]! *= latest[j]!;
}
