import { clamp } from '../../../numeric/clamp.js';
import { CoolDown } from '../cool-down.js';
import type { Direction } from '../types.js';

/** Allowance: half of the shift, in sigmas, that the chart is tuned to find. */
const ALLOWANCE = 0.5;
/** One observation counts at most this many sigmas: a single spike is no new level. */
const MAX_SCORE = 3;

/**
 * Two-sided cumulative sum chart (Page, Biometrika 41, 1954) with a cool-down per direction. A side is S = max(0, S + z - .5), of
 * which z - .5 is the log-likelihood ratio of a shift by one sigma; it is held at twice the limit, so that one long excursion does
 * not outlive its cause. What an alarm means, and whether it is worth reporting, the caller decides.
 */
export class TwoSidedCusum {
  private readonly sums = { up: 0, down: 0 };
  private readonly coolDown: CoolDown;

  constructor(
    private readonly limit: number,
    coolDown: number,
  ) {
    this.coolDown = new CoolDown(coolDown);
  }

  /** Adds the normal score of observation `index`; the direction of the alarm that it raises, if any. */
  add(score: number, index: number): Direction | undefined {
    const z = clamp(score, -MAX_SCORE, MAX_SCORE);
    this.sums.up = clamp(this.sums.up + (z - ALLOWANCE), 0, 2 * this.limit);
    this.sums.down = clamp(this.sums.down + (-z - ALLOWANCE), 0, 2 * this.limit);
    if (this.sums.up > this.limit && this.coolDown.isOver(1, index)) return 1;
    return this.sums.down > this.limit && this.coolDown.isOver(-1, index) ? -1 : undefined;
  }

  /** Notes that an alarm was reported: both sides start again, its direction rests. */
  reported(direction: Direction, index: number): void {
    this.coolDown.begin(direction, index);
    this.sums.up = 0;
    this.sums.down = 0;
  }
}
