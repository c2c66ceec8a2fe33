/** Lets a repeated event pass once in an interval, such as the log lines about an outage, which is one event and not thousands. */
export class Throttle {
  private passedAt = -Infinity;

  constructor(private readonly intervalMs: number) {}

  /** Whether the event may pass now; if so, the next ones do not until the interval is over. */
  pass(): boolean {
    const now = performance.now();
    if (now - this.passedAt < this.intervalMs) return false;
    this.passedAt = now;
    return true;
  }
}
