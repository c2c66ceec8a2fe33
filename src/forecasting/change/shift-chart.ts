import { addToSide, CusumSide, resetSide, startSide } from './cusum.js';

export interface Alarm {
  /** 1 when demand rose, -1 when it fell. */
  readonly direction: 1 | -1;
  /** Index of the first observation of the excursion; the shift may have come later in it. */
  readonly start: number;
}

/** Two-sided CUSUM with a cool-down per direction. What an alarm means, and whether it is worth telling, the caller decides. */
export class ShiftChart {
  private readonly up = startSide();
  private readonly down = startSide();
  private readonly lastTold = { up: -Infinity, down: -Infinity };

  constructor(
    private readonly limit: number,
    private readonly coolDown: number,
  ) {}

  /** Adds the increments of both sides for observation `index`; returns the alarm it raises, if any. */
  add(upward: number, downward: number, index: number): Alarm | undefined {
    addToSide(this.up, upward, index, this.limit);
    addToSide(this.down, downward, index, this.limit);
    if (this.raised(this.up, this.lastTold.up, index)) return { direction: 1, start: this.up.start };
    if (this.raised(this.down, this.lastTold.down, index)) return { direction: -1, start: this.down.start };
    return undefined;
  }

  /** Notes that an alarm was told: both sides start again, its direction rests. */
  told(direction: 1 | -1, index: number): void {
    if (direction > 0) this.lastTold.up = index;
    else this.lastTold.down = index;
    resetSide(this.up);
    resetSide(this.down);
  }

  private raised(side: CusumSide, lastTold: number, index: number): boolean {
    return side.sum > this.limit && index - lastTold > this.coolDown;
  }
}
