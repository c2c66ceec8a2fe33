import { normalScore } from '../../../numeric/normal-score.js';

/** Demands that the typical size is estimated from before one of them can stand out. */
const MIN_DEMANDS = 6;
/** Scatter of ln(size) below this is taken as this: one order of a quarter more than always is no spike. */
const MIN_SCATTER = 0.25;

/** Sizes of the months with demand so far, as mean and scatter of their logarithms. */
export class DemandSizes {
  private count = 0;
  private mean = 0;
  private squares = 0;

  /** Geometric mean of the sizes so far; 1 before the first. */
  typical(): number {
    return Math.exp(this.mean);
  }

  /** How far a demand lies from the earlier ones: standard normal for log-normal sizes; 0 without demand or with few sizes. */
  score(demand: number): number {
    if (!(demand > 0) || this.count < MIN_DEMANDS) return 0;
    const scatter = Math.max(Math.sqrt(this.squares / (this.count - 1)), MIN_SCATTER);
    return normalScore((Math.log(demand) - this.mean) / (scatter * Math.sqrt(1 + 1 / this.count)), this.count - 1);
  }

  record(demand: number): void {
    if (!(demand > 0)) return;
    const value = Math.log(demand);
    this.count++;
    const step = value - this.mean;
    this.mean += step / this.count;
    this.squares += step * (value - this.mean);
  }
}
