/** Work that is repeated at an interval, one round at a time. A round that comes due while another runs is skipped. */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;

  /** @param work one round; it must not reject */
  begin(intervalMs: number, work: () => Promise<void>): void {
    this.timer = setInterval(() => void this.join(work), intervalMs);
  }

  /** Waits for the round that is running; where none is, runs one now. */
  join(work: () => Promise<void>): Promise<void> {
    return (this.round ??= work().finally(() => (this.round = undefined)));
  }

  /** Starts no further round and waits for the one that is running. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.round;
  }
}
