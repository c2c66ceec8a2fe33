import { CoolDown } from '../cool-down.js';
import { nextSum } from './cusum.js';

/** Two-sided CUSUM with a cool-down per direction. What an alarm means, and whether it is worth reporting, the caller decides. */
export class TwoSidedCusum {
  private readonly sums = { up: 0, down: 0 };
  private readonly coolDown: CoolDown;

  constructor(
    private readonly limit: number,
    coolDown: number,
  ) {
    this.coolDown = new CoolDown(coolDown);
  }

  /** Adds the increments of both sides for observation `index`; the direction of the alarm it raises (1: demand rose), if any. */
  add(upward: number, downward: number, index: number): 1 | -1 | undefined {
    this.sums.up = nextSum(this.sums.up, upward, this.limit);
    this.sums.down = nextSum(this.sums.down, downward, this.limit);
    if (this.sums.up > this.limit && this.coolDown.isOver(1, index)) return 1;
    return this.sums.down > this.limit && this.coolDown.isOver(-1, index) ? -1 : undefined;
  }

  /** Notes that an alarm was reported: both sides start again, its direction rests. */
  reported(direction: 1 | -1, index: number): void {
    this.coolDown.begin(direction, index);
    this.sums.up = 0;
    this.sums.down = 0;
  }
}
