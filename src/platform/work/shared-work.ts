/** Work in progress, by key: whoever asks for the same in the meantime shares it. */
export class SharedWork<Result> {
  private readonly inProgress = new Map<string, Promise<Result>>();

  /** Number of pieces in progress. */
  get size(): number {
    return this.inProgress.size;
  }

  /** Their keys. */
  keys(): Iterable<string> {
    return this.inProgress.keys();
  }

  /** Begins the work, or waits for that of the same key that is in progress. */
  share(key: string, begin: () => Promise<Result>): Promise<Result> {
    const known = this.inProgress.get(key);
    if (known) return known;
    const work = begin().finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, work);
    return work;
  }

  /** Waits for the work in progress to end. Never rejects. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.inProgress.values());
  }
}
