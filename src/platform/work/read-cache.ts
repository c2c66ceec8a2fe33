/**
 * Caches what was read from the database for a limited time; concurrent readers of a key share one read. Missing values and failures
 * are not cached, so what is new takes effect immediately.
 */
export class ReadCache<Value> {
  /** In the order in which they were read. */
  private readonly entries = new Map<string, { readonly until: number; readonly value: Promise<Value | undefined> }>();

  /**
   * @param lifetimeMs milliseconds from the start of the read
   * @param maxEntries number of values above which the oldest is dropped: a bound on memory
   */
  constructor(
    private readonly lifetimeMs: number,
    private readonly maxEntries: number,
  ) {}

  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const now = performance.now();
    const known = this.entries.get(key);
    if (known && known.until > now) return known.value;
    const value = read();
    const entry = { until: now + this.lifetimeMs, value };
    this.entries.delete(key); // to the end of the order
    this.entries.set(key, entry);
    if (this.entries.size > this.maxEntries) this.entries.delete(this.entries.keys().next().value!);
    const forget = (): void => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    };
    value.then((found) => {
      if (found === undefined) forget();
    }, forget);
    return value;
  }

  clear(): void {
    this.entries.clear();
  }
}
