import { SEASON } from '../types.js';
import { median } from '../numeric/sample-quantile.js';
import { ShrunkSeason } from './shrunk-season.js';

/** Observed months that the first estimates are made of; no finding earlier. */
export const WARM_UP = 24;
/** Weight of a new observation in the level. */
const LEVEL_WEIGHT = 0.1;
/** Weight of a new observation in the monthly growth. */
const GROWTH_WEIGHT = 0.003;
/** Errors are clipped at this many sigmas before they move any estimate. */
const CLIP = 2;
/** Degrees of freedom that the scale keeps at most: about four years of memory. */
const LARGEST_FREEDOM = 48;
/** Variance of a first level and growth, times observations, in variances of one month. */
const EARLY_UNCERTAINTY = 2;
/** Degrees of freedom that a seasonal term takes off the first scale: terms are picked because they fit. */
const TERMS_COST = 2;
/** A serial correlation below this is taken for none: the standard error of one from 60 to 70 months. */
const CORRELATION_ERROR = 0.12;
/** Squared scores that a serial correlation of zero counts for. */
const CORRELATION_PRIOR = 24;

/** Months that an observation waits before it counts for scale and correlation: a shift must not widen what it is judged by. */
const DELAY = 6;

/** What an observation will tell of scale and correlation. */
interface PendingMonth {
  readonly square: number;
  readonly score: number;
  readonly product: number;
}

/** One observation of the warm-up. */
export interface WarmUpPoint {
  /** Index in the history. */
  readonly index: number;
  /** 0 (January) .. 11. */
  readonly calendarMonth: number;
  /** Demand on the tracker's scale. */
  readonly value: number;
}

/**
 * Causal one-step predictor of regular demand, robust and self-starting:
 *
 *   y_t = level + season(month) + e_t,   level += growth + .1 psi(e),   growth += .003 psi(e),   psi clips at two sigmas
 *
 * (robust exponential smoothing: Gelper, Fried & Croux, J. Forecasting 29, 2010). Errors are divided by the scale of the past
 * ones and mapped from a t to a normal distribution, so that scores are standard normal from the first (self-starting chart:
 * Hawkins, The Statistician 36, 1987). Constant cost per month; nothing later than t is used at t, so that a replay of a longer
 * history finds what earlier runs found.
 */
export class LevelTracker {
  private level: number;
  private growth: number;
  private variance: number;
  private freedom: number;
  private readonly season = new ShrunkSeason();
  private lagProduct = 0;
  private squares = CORRELATION_PRIOR;
  private lastScore = 0;
  private observed: number;
  private readonly pending: PendingMonth[] = [];

  constructor(points: readonly WarmUpPoint[]) {
    const n = points.length;
    this.observed = n;
    const half = n >> 1;
    const early = mean(points.slice(0, half));
    const late = mean(points.slice(half));
    const middle = 0.5 * (points[0]!.index + points[n - 1]!.index);
    const centre = 0.5 * (early + late);
    // Half of the growth between the two years: the other half is as likely noise.
    this.growth = (0.5 * (late - early)) / SEASON;
    const deviations = points.map((point) => point.value - centre - this.growth * (point.index - middle));
    points.forEach((point, i) => this.season.record(point.calendarMonth, deviations[i]!));
    this.season.refresh();
    const errors = points.map((point, i) => deviations[i]! - this.season.pattern[point.calendarMonth]!);
    const bound = 2.5 * 1.4826 * median(errors.map(Math.abs));
    const squares = errors.reduce((sum, error) => sum + Math.min(error * error, bound * bound), 0);
    this.freedom = n - 2 - TERMS_COST * this.season.terms;
    // A constant history has no scale of its own; a ten-thousandth of its level keeps scores finite.
    this.variance = Math.max(squares / this.freedom, 1e-8 * centre * centre, 1e-24);
    this.level = centre + this.growth * (points[n - 1]!.index + 1 - middle);
  }

  /** Prediction for the next month. */
  predict(calendarMonth: number): number {
    return this.level + this.season.pattern[calendarMonth]!;
  }

  /** Level and growth as they stand before the next observation: what an unchanged series would go on with. */
  baseline(): { level: number; growth: number } {
    return { level: this.level, growth: this.growth };
  }

  seasonOf(calendarMonth: number): number {
    return this.season.pattern[calendarMonth]!;
  }

  /** Score of an observation: its prediction error, standard normal while nothing changes. `level` stands in for the present one. */
  score(calendarMonth: number, value: number, level = this.level): number {
    return this.scoreOf(value - level - this.season.pattern[calendarMonth]!);
  }

  /** As score, on the scale of demand itself, with the root scale's sigma carried over: the terms of a comparison of totals. */
  demandScore(calendarMonth: number, value: number, level: number): number {
    const expected = level + this.season.pattern[calendarMonth]!;
    return this.scoreOf(expected > 0 ? differenceInRoots(value, expected) : value - expected);
  }

  /**
   * Score of a single month taken by itself: rises are measured on a logarithmic scale and falls on that of demand itself, both
   * with the root scale's sigma carried over. The tail of right-skewed demand is then no spike, and low months of symmetric
   * demand are no drops; in sums of several months such tails even out.
   */
  cautiousScore(calendarMonth: number, value: number): number {
    const expected = this.predict(calendarMonth);
    if (!(expected > 0)) return this.score(calendarMonth, value);
    return this.scoreOf(value > expected ? expected * Math.log(value / expected) : differenceInRoots(value, expected));
  }

  /** Variance of the level in variances of one month. */
  levelNoise(): number {
    return LEVEL_WEIGHT / 2 + EARLY_UNCERTAINTY / this.observed;
  }

  /**
   * Factor (<= 1) by which a score shrinks before it is summed: errors with lag-one correlation r wander, their sum has the
   * variance of independent ones times (1 + r) / (1 - r).
   */
  independence(): number {
    const correlation = Math.max(this.lagProduct / this.squares - CORRELATION_ERROR, 0);
    return Math.sqrt((1 - correlation) / (1 + correlation));
  }

  /** Learns from an observation and moves on by a month. */
  update(calendarMonth: number, value: number, score: number): void {
    const uncertainty = this.uncertainty();
    const bound = CLIP * Math.sqrt(this.variance * uncertainty);
    const clipped = Math.max(-bound, Math.min(bound, value - this.predict(calendarMonth)));
    this.level += this.growth + LEVEL_WEIGHT * clipped;
    this.growth += GROWTH_WEIGHT * clipped;
    this.observed++;
    const bounded = Math.max(-CLIP, Math.min(CLIP, score));
    // Clipping at two sigmas takes 8 % off the variance of normal errors (E[psi^2] = .9205); it is put back.
    this.pending.push({
      square: (clipped * clipped) / (0.9205 * uncertainty),
      score: bounded,
      product: bounded * this.lastScore,
    });
    this.lastScore = bounded;
    if (this.pending.length > DELAY) this.learnScale(this.pending.shift()!);
    this.season.record(calendarMonth, this.season.pattern[calendarMonth]! + clipped);
    this.season.refresh();
  }

  /** A missing month: growth goes on, nothing is learnt. */
  skip(): void {
    this.level += this.growth;
    this.lastScore = 0;
  }

  /** Starts again from a new level after a shift; season and growth stay, the months of the shift do not widen the scale. */
  moveTo(level: number): void {
    this.level = level;
    this.lastScore = 0;
    this.pending.length = 0;
  }

  private scoreOf(error: number): number {
    return normalScore(error / Math.sqrt(this.variance * this.uncertainty()), this.freedom);
  }

  private learnScale(month: PendingMonth): void {
    this.freedom = Math.min(this.freedom + 1, LARGEST_FREEDOM);
    this.variance += (month.square - this.variance) / this.freedom;
    this.lagProduct += month.product;
    this.squares += month.score * month.score;
  }

  /** Variance of a prediction error in variances of one month: level, season and the youth of both add to 1. */
  private uncertainty(): number {
    return 1 + this.levelNoise() + this.season.noise;
  }
}

/** Difference of demand in root units: (x - expected) / (2 root expected), x and expected being squares (x may be negative). */
function differenceInRoots(value: number, expected: number): number {
  return (value * Math.abs(value) - expected * expected) / (2 * expected);
}

/** Normal score of a t variable (Wallace, Annals of Mathematical Statistics 30, 1959). */
export function normalScore(t: number, freedom: number): number {
  const size = ((8 * freedom + 1) / (8 * freedom + 3)) * Math.sqrt(freedom * Math.log1p((t * t) / freedom));
  return t < 0 ? -size : size;
}

function mean(points: readonly WarmUpPoint[]): number {
  return points.reduce((sum, point) => sum + point.value, 0) / points.length;
}
