/** Rise, in standard deviations of a month, that the chart is tuned to find; falls are the mirror image of one deviation. */
const RISE = 1.5;
/** Months that an observation waits before it counts for the mean: a shift must not hide itself. */
const DELAY = 1;
/** Weight that an observation keeps from month to month (half after six years). */
const MEMORY = 0.99;
/** Demand that the mean starts with beside the observed, in halves of an order. */
const PRIOR_DEMAND = 0.5;
/** Dispersion, in mean sizes of an order, that is expected of a series, and the months that this counts for. */
const USUAL_DISPERSION = 1.6;
const PRIOR_MONTHS = 40;
/** Variance to mean ratio at least this; the Poisson distribution is the limit of 1. */
const SMALLEST_DISPERSION = 1.0005;
/**
 * Demand is counted in halves of its mean size, whatever its unit: packs of twelve are not twelve orders, and negative binomial
 * counts of single pieces would not allow for them (12 to 20 % false alarms a series-year on lumpy demand).
 */
const STEPS_OF_AN_ORDER = 2;

/** Mean and dispersion of the demand so far, and how much a month speaks for another mean. */
export class CountBaseline {
  private weight = 0;
  private sum = 0;
  private squares = 0;
  private orders = 0;
  private readonly pending: number[] = [];

  record(demand: number): void {
    this.pending.push(demand);
    if (this.pending.length <= DELAY) return;
    const known = this.pending.shift()!;
    this.weight = MEMORY * this.weight + 1;
    this.sum = MEMORY * this.sum + known;
    this.squares = MEMORY * this.squares + known * known;
    this.orders = MEMORY * this.orders + (known > 0 ? 1 : 0);
  }

  /** Starts again from a total of some months after a shift; the dispersion stays, in proportion. */
  moveTo(total: number, months: number): void {
    const dispersion = this.dispersion(this.sum / this.weight);
    const size = this.sum / this.orders;
    this.weight = months;
    this.sum = total;
    this.orders = total / size;
    this.squares = total * dispersion + (total * total) / months;
    this.pending.length = 0;
  }

  /** {@link shiftRatios} of a month's demand by what is known so far; 0 without demand so far. */
  logLikelihoodRatios(demand: number): ShiftRatios {
    if (!(this.sum > 0)) return { up: 0, down: 0 };
    const step = this.sum / this.orders / STEPS_OF_AN_ORDER;
    const mean = (this.sum / step + PRIOR_DEMAND) / this.weight;
    const dispersion = Math.max(this.dispersion(this.sum / this.weight) / step, SMALLEST_DISPERSION);
    return shiftRatios(demand / step, mean, dispersion);
  }

  private dispersion(mean: number): number {
    const deviations = Math.max(this.squares - this.weight * mean * mean, 0) / mean;
    const usual = (USUAL_DISPERSION * this.sum) / this.orders;
    return (deviations + PRIOR_MONTHS * usual) / (this.weight - 1 + PRIOR_MONTHS);
  }
}

/** How much a count speaks for a rise and for a fall, as logarithms of likelihood ratios. */
export interface ShiftRatios {
  readonly up: number;
  readonly down: number;
}

/**
 * ln(f(x; m') / f(x; m)) for the negative binomial distribution with mean m and variance D m, and the means m' = m + 1.5 sigma upwards
 * and m^2 / (m + sigma) downwards, sigma = sqrt(D m). Both have the same D > 1: the ratio then grows with ln x only, and one large
 * order is no shift.
 */
export function shiftRatios(count: number, mean: number, dispersion: number): ShiftRatios {
  const sigma = Math.sqrt(dispersion * mean);
  return {
    up: logRatio(count, mean + RISE * sigma, mean, dispersion),
    down: logRatio(count, (mean * mean) / (mean + sigma), mean, dispersion),
  };
}

/** ln of the ratio of two negative binomial probabilities of `count` with the same variance to mean ratio. */
function logRatio(count: number, mean: number, baseline: number, dispersion: number): number {
  const size = mean / (dispersion - 1);
  const baselineSize = baseline / (dispersion - 1);
  return logRising(size, count) - logRising(baselineSize, count) - (size - baselineSize) * Math.log(dispersion);
}

/** ln(Gamma(x + n) / Gamma(x)): factors up to argument 10 one by one, from there on by Stirling's series (error below 1e-8). */
function logRising(x: number, n: number): number {
  return logGamma(x + n) - logGamma(x);
}

function logGamma(x: number): number {
  let argument = x;
  let product = 1;
  for (; argument < 10; argument++) product *= argument;
  const inverse = 1 / argument;
  const series = inverse * (1 / 12 - inverse * inverse * (1 / 360 - (inverse * inverse) / 1260));
  return (argument - 0.5) * Math.log(argument) - argument + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product);
}
