/** Work that is done again and again, by one round at a time; a round that comes due meanwhile is left out. */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;

  /** @param work one round; it must not reject */
  begin(intervalMs: number, work: () => Promise<void>): void {
    this.timer = setInterval(() => void this.join(work), intervalMs);
  }

  /** Waits for the end of the round at hand, or of one that begins now. */
  join(work: () => Promise<void>): Promise<void> {
    return (this.round ??= work().finally(() => (this.round = undefined)));
  }

  /** Begins no more and waits for the round at hand. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.round;
  }
}
