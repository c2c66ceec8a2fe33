/** Size above which the cache is cleared: a bound on memory, not a tuning knob. */
const MAX_ENTRIES = 10_000;

/**
 * Caches what was read from the database for less than a second; concurrent readers of a key share one read. Missing rows are not
 * cached, so a new row takes effect immediately.
 */
export class ShortLivedCache<Value> {
  private readonly entries = new Map<string, { readonly until: number; readonly value: Promise<Value | undefined> }>();

  /** @param lifetime milliseconds from the start of the read */
  constructor(private readonly lifetime: number) {}

  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const now = performance.now();
    const known = this.entries.get(key);
    if (known && known.until > now) return known.value;
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    const value = read();
    const entry = { until: now + this.lifetime, value };
    this.entries.set(key, entry);
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
