/** A linear axis of values: round numbers that enclose the data. */
export interface ValueAxis {
  readonly min: number;
  readonly max: number;
  /** Ascending, from `min` to `max`. */
  readonly ticks: readonly number[];
}

/** Steps that people count in, to be multiplied by powers of ten. */
const STEPS = [1, 2, 2.5, 5, 10];
/** Approximate number of steps on an axis. */
const COUNT = 5;
/** Demand below this is drawn as zero: near the smallest double, an axis could not tell its steps apart. */
const MIN_SPAN = 1e-300;

/**
 * The axis from 0 (or the smallest value, if negative) to the largest, in round steps.
 * @param values finite numbers
 */
export function valueAxis(values: readonly number[]): ValueAxis {
  const least = Math.min(0, ...values);
  const greatest = Math.max(0, ...values);
  const [low, high] = greatest - least > MIN_SPAN ? [least, greatest] : [0, 1]; // no demand at all still has an axis
  const span = high - low;
  const rough = span / COUNT;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * STEPS.find((candidate) => candidate * power >= rough * 0.999_999)!;
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { min: ticks[0]!, max: ticks.at(-1)!, ticks };
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

/** A short label for a tick: 1,500 is "1500", a million and a half "1.5M"; beyond what people read, in powers of ten. */
export function tickLabel(value: number, axis: ValueAxis): string {
  const size = Math.max(Math.abs(axis.min), Math.abs(axis.max));
  if (value === 0) return '0';
  if (size >= 1e15 || size < 1e-3) return value.toExponential(1).replace('e+', 'e');
  if (size >= 10_000) return COMPACT.format(value);
  return String(Number(value.toPrecision(6)));
}
