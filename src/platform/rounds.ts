/** Work that is done again and again, by one round at a time; a round that comes due meanwhile is left out. */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;

  /** @param work one round; it must not reject */
  begin(intervalMs: number, work: () => Promise<void>): void {
    this.timer = setInterval(() => {
      this.round ??= work().finally(() => (this.round = undefined));
    }, intervalMs);
  }

  /** Begins no more and waits for the round at hand. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.round;
  }
}
