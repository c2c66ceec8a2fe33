import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Labels with all their possible values: this code bounds the number of time series, however the service is used. */
type Labels = Readonly<Record<string, readonly string[]>>;
type ValuesOf<L extends Labels> = { readonly [Name in keyof L]: L[Name][number] };

interface BoundedCounter<L extends Labels> {
  inc(values: ValuesOf<L>, by?: number): void;
}

interface BoundedHistogram<L extends Labels> {
  /** @param amount in the base unit that the name says: seconds, bytes */
  observe(values: ValuesOf<L>, amount: number): void;
}

/** Prefix of our own metrics; process metrics keep the names that Node.js dashboards expect. */
const PREFIX = 'forecasting_';

/**
 * The metrics of the process: the Prometheus registry and the ways to add to it. Modules keep their instruments next to their code.
 * Every time series starts at zero, so that its first increase is visible.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly preparations: (() => Promise<void>)[] = [];

  /** Counts events. @param name without the prefix, ending in `_total` */
  counter<const L extends Labels>(name: string, help: string, labels: L): BoundedCounter<L> {
    const counter = new Counter({ ...this.described(name, help), labelNames: Object.keys(labels) });
    for (const values of combinations(labels)) counter.inc(values, 0);
    return counter;
  }

  /** Distributes amounts into buckets. @param buckets their upper bounds */
  histogram<const L extends Labels>(
    name: string,
    help: string,
    { labels, buckets }: { readonly labels: L; readonly buckets: readonly number[] },
  ): BoundedHistogram<L> {
    const described = this.described(name, help);
    const histogram = new Histogram({ ...described, labelNames: Object.keys(labels), buckets: [...buckets] });
    for (const values of combinations(labels)) histogram.zero(values);
    return histogram;
  }

  /** A gauge that takes its value from `read` at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ ...this.described(name, help), collect: () => gauge.set(read()) });
  }

  /** Like {@link gauge}, with a value per `state`. */
  gaugeByState(name: string, help: string, read: () => Readonly<Record<string, number>>): void {
    const gauge: Gauge = new Gauge({
      ...this.described(name, help),
      labelNames: ['state'],
      collect: () => {
        for (const [state, amount] of Object.entries(read())) gauge.set({ state }, amount);
      },
    });
  }

  /** Runs `prepare` before each scrape; it must neither reject nor take longer than a scraper waits. */
  beforeScrape(prepare: () => Promise<void>): void {
    this.preparations.push(prepare);
  }

  /** All metrics in the Prometheus text format (version 0.0.4). */
  async text(): Promise<string> {
    await Promise.all(this.preparations.map((prepare) => prepare()));
    return this.registry.metrics();
  }

  /** The options common to all metrics; prefixes the name. */
  described(name: string, help: string): { name: string; help: string; registers: [Registry] } {
    return { name: PREFIX + name, help, registers: [this.registry] };
  }
}

/** All combinations of the labels' values; a single empty one if there are no labels. */
function combinations(labels: Labels): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (made, [name, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}
