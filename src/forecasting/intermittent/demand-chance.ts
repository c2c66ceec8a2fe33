import { clamp } from '../../numeric/clamp.js';
import { sumOf } from '../../numeric/sum.js';
import type { ExposedDemand } from './exposed-demand.js';

/** Chances are kept this far from 0 and 1, so that log odds are finite for series with demand in every month, too. */
export const MAX_CHANCE = 0.999;
/** Steps of Newton's method at most. */
const MAX_STEPS = 30;
/** Change of -ln(1 - chance) below which it has been found. */
const TOLERANCE = 1e-9;

/** Months that a chance of demand is estimated from. */
export class DemandMonths {
  private readonly exposures: number[] = [];
  private readonly weights: number[] = [];
  /** Weight of the months with demand. */
  private demands = 0;
  /** Whether all months count alike: the chance is a share then, as for most series. */
  private even = true;

  /** Adds the months of a series since `from`, the last with weight 1, each one before with `discount` times that. */
  add({ demand, exposure }: ExposedDemand, discount = 1, from = 0): this {
    let weight = 1;
    for (let t = demand.length - 1; t >= from; t--) {
      if (exposure[t]! > 0) this.addMonths(weight, demand[t]! > 0 ? 1 : 0, exposure[t]);
      weight *= discount;
    }
    return this;
  }

  /** Adds months that weigh `weight` together, each of the same exposure; the share `chance` of them has demand. */
  addMonths(weight: number, chance: number, exposure = 1): this {
    this.weights.push(weight);
    this.exposures.push(exposure);
    this.even &&= exposure === 1;
    this.demands += weight * chance;
    return this;
  }

  /**
   * Chance p of demand in a month of exposure 1 with which as many months with demand are expected as there are, when one of
   * exposure f has it with probability 1 - (1 - p)^f, as where orders come at random. Newton's method for -ln(1 - p). 0 without months.
   */
  chance(): number {
    const total = sumOf(this.weights);
    if (!(this.demands > 0)) return 0;
    if (this.even) return this.demands / total;
    const largest = -Math.log(1 - MAX_CHANCE);
    let rate = Math.min(largest, -Math.log(1 - Math.min(MAX_CHANCE, this.demands / total)));
    for (let step = 0; step < MAX_STEPS; step++) {
      let excess = -this.demands;
      let slope = 0;
      for (let i = 0; i < this.weights.length; i++) {
        const none = Math.exp(-rate * this.exposures[i]!);
        excess += this.weights[i]! * (1 - none);
        slope += this.weights[i]! * this.exposures[i]! * none;
      }
      const next = clamp(rate - excess / slope, 0, largest);
      if (Math.abs(next - rate) < TOLERANCE) return 1 - Math.exp(-next);
      rate = next;
    }
    return 1 - Math.exp(-rate);
  }
}
