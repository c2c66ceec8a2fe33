import { SEASONAL_BASIS, SEASONAL_COLUMNS } from '../../calendar-regression/regressors.js';
import { SEASON } from '../../types.js';

/** Power, in multiples of what noise alone would have, that a harmonic must show before it has any weight. */
const CAUTION = 3;

/** A deviation from the level in one calendar month (0 = January). */
export interface MonthlyDeviation {
  readonly calendarMonth: number;
  readonly deviation: number;
}

/**
 * Seasonal pattern by calendar month, centered on zero, from deviations: the Fourier terms of their twelve means, each harmonic k
 * times B_k = max(0, 1 - 3 noise / power_k), an empirical-Bayes factor. A series without season keeps little noise, a smooth season
 * is known after two years, a single peak month needs (and gets) all harmonics. Zero until every calendar month was seen and some
 * twice.
 */
export function shrunkSeason(deviations: readonly MonthlyDeviation[]): Float64Array {
  const pattern = new Float64Array(SEASON);
  const sums = new Float64Array(SEASON);
  const counts = new Float64Array(SEASON);
  for (const { calendarMonth, deviation } of deviations) {
    sums[calendarMonth]! += deviation;
    counts[calendarMonth]!++;
  }
  if (deviations.length <= SEASON || counts.includes(0)) return pattern;
  const means = sums.map((sum, m) => sum / counts[m]!);
  const squares = deviations.reduce(
    (sum, { calendarMonth, deviation }) => sum + (deviation - means[calendarMonth]!) ** 2,
    0,
  );
  const noiseOfMean = squares / (deviations.length - SEASON) / (deviations.length / SEASON);
  for (let first = 0; first < SEASONAL_COLUMNS; first += 2) addHarmonic(means, first, noiseOfMean, pattern);
  return pattern;
}

/** Adds the harmonic of the basis that begins in column `first`, cosine and sine (of the sixth the cosine alone), shrunk. */
function addHarmonic(means: Float64Array, first: number, noiseOfMean: number, pattern: Float64Array): void {
  const columns = first + 1 < SEASONAL_COLUMNS ? [first, first + 1] : [first];
  const norm = SEASON / columns.length;
  const terms = columns.map((column) => means.reduce((sum, mean, m) => sum + mean * wave(m, column), 0));
  // under noise alone each term has variance norm x noiseOfMean
  const power = terms.reduce((sum, term) => sum + term * term, 0) / columns.length;
  const factor = power > 0 ? Math.max(0, 1 - (CAUTION * norm * noiseOfMean) / power) : 0;
  for (let m = 0; m < SEASON; m++) {
    for (const [i, column] of columns.entries()) pattern[m]! += (factor / norm) * terms[i]! * wave(m, column);
  }
}

const wave = (month: number, column: number): number => SEASONAL_BASIS[month * SEASONAL_COLUMNS + column]!;
