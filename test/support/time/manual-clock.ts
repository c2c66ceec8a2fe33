import { Clock } from '../../../src/platform/clock.js';

/** A clock that stands still at the time it is set to. */
export class ManualClock extends Clock {
  constructor(public instant: Date) {
    super();
  }
  override now(): Date {
    return this.instant;
  }
}
