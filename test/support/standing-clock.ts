import { Clock } from '../../src/platform/clock.js';

/** A clock that stands where it is put. */
export class StandingClock extends Clock {
  constructor(public instant: Date) {
    super();
  }
  override now(): Date {
    return this.instant;
  }
}
