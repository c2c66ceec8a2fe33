import { clamp } from '../../../numeric/clamp.js';
import { normalScore } from '../../../numeric/normal-score.js';

/** Errors are clipped at this many sigmas before they move any estimate. */
export const CLIP = 2.5;
/** Variance of standard normal errors that are clipped so: E[psi(z)^2]. */
const CLIPPED_VARIANCE = 0.9775;
/** Degrees of freedom that the scale keeps at most: four years of memory. */
const MAX_FREEDOM = 48;
/** Taken off an estimated serial correlation, of which it is the standard error in 60 to 70 months. */
const CORRELATION_ERROR = 0.12;
/** Prior weight of a serial correlation of zero, as a sum of squared scores. */
const CORRELATION_PRIOR = 24;
/** Scores are clipped at this before they enter the correlation. */
const MAX_CORRELATED = 2;
/** Months that an observation waits before it counts: a shift must not widen what it is judged by. */
const DELAY = 6;

/** What an observation will add once it counts. */
interface PendingMonth {
  readonly square: number;
  readonly score: number;
  readonly product: number;
}

/** Variance and serial correlation of the one-step errors so far. */
export class ErrorScale {
  private lagProduct = 0;
  private squares = CORRELATION_PRIOR;
  private lastScore = 0;
  private readonly pending: PendingMonth[] = [];

  /**
   * @param variance of one month, to begin with
   * @param freedom its degrees of freedom
   */
  constructor(
    public variance: number,
    public freedom: number,
  ) {}

  /**
   * Adds a one-step error, which counts from six months later on.
   * @param uncertainty its variance, in variances of one month
   * @param smallestVariance floor of the variance of one month
   * @returns the error, clipped
   */
  record(error: number, uncertainty: number, smallestVariance: number): number {
    const sigma = Math.sqrt(this.variance * uncertainty);
    const score = normalScore(error / sigma, this.freedom);
    const clipped = clamp(error, -CLIP * sigma, CLIP * sigma);
    const bounded = clamp(score, -MAX_CORRELATED, MAX_CORRELATED);
    this.pending.push({
      square: (clipped * clipped) / (CLIPPED_VARIANCE * uncertainty),
      score: bounded,
      product: bounded * this.lastScore,
    });
    this.lastScore = bounded;
    if (this.pending.length <= DELAY) return clipped;
    const month = this.pending.shift()!;
    this.freedom = Math.min(this.freedom + 1, MAX_FREEDOM);
    this.variance = Math.max(this.variance + (month.square - this.variance) / this.freedom, smallestVariance);
    this.lagProduct += month.product;
    this.squares += month.score * month.score;
    return clipped;
  }

  /** The next error does not follow the last one: a month is missing. */
  interrupt(): void {
    this.lastScore = 0;
  }

  /** Forgets the months that wait: they were those of a shift. */
  dropPending(): void {
    this.lastScore = 0;
    this.pending.length = 0;
  }

  /**
   * Factor (<= 1) by which a score shrinks before it is summed: errors with lag-one correlation r wander, their sum has the
   * variance of independent ones times (1 + r) / (1 - r).
   */
  serialCorrelationFactor(): number {
    const correlation = Math.max(this.lagProduct / this.squares - CORRELATION_ERROR, 0);
    return Math.sqrt((1 - correlation) / (1 + correlation));
  }
}
