import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Labels, each with all the values it can have: how many series there are depends on this code, never on who uses the service. */
type Labels = Readonly<Record<string, readonly string[]>>;
type ValuesOf<L extends Labels> = { readonly [Name in keyof L]: L[Name][number] };

interface BoundedCounter<L extends Labels> {
  inc(values: ValuesOf<L>, by?: number): void;
}

interface BoundedHistogram<L extends Labels> {
  /** @param amount in the base unit of the name: seconds, bytes */
  observe(values: ValuesOf<L>, amount: number): void;
}

/** Of every name of ours; those of the process keep the names that dashboards for Node.js know. */
const PREFIX = 'forecasting_';

/**
 * What the process tells of itself to Prometheus: the one registry, and the ways to add to it. Modules hold their own
 * instruments beside their code. A series is there from the start, at zero, so that its first step is seen.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly preparations: (() => Promise<void>)[] = [];

  /** Counts what happens. @param name without the prefix, ending in `_total` */
  counter<const L extends Labels>(name: string, help: string, labels: L): BoundedCounter<L> {
    const counter = new Counter({ ...this.described(name, help), labelNames: Object.keys(labels) });
    for (const values of combinations(labels)) counter.inc(values, 0);
    return counter;
  }

  /** Sorts amounts into buckets. @param buckets their upper bounds */
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

  /** Tells what `read` says at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ ...this.described(name, help), collect: () => gauge.set(read()) });
  }

  /** As {@link gauge}, by the values of one label. */
  gaugeBy(label: string, name: string, help: string, read: () => Readonly<Record<string, number>>): void {
    const gauge: Gauge = new Gauge({
      ...this.described(name, help),
      labelNames: [label],
      collect: () => {
        for (const [value, amount] of Object.entries(read())) gauge.set({ [label]: value }, amount);
      },
    });
  }

  /** Runs `prepare` before each answer; it must neither reject nor take longer than a scraper waits. */
  beforeScrape(prepare: () => Promise<void>): void {
    this.preparations.push(prepare);
  }

  /** All metrics in the text format of Prometheus (version 0.0.4). */
  async text(): Promise<string> {
    await Promise.all(this.preparations.map((prepare) => prepare()));
    return this.registry.metrics();
  }

  /** What every metric is made with; its name gets the prefix. */
  described(name: string, help: string): { name: string; help: string; registers: [Registry] } {
    return { name: PREFIX + name, help, registers: [this.registry] };
  }
}

/** Every combination of the labels' values; a single empty one where there are no labels. */
function combinations(labels: Labels): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (made, [name, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}
