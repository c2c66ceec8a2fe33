import { SEASON } from '../../types.js';

/** Power, in multiples of what noise alone would have, that a harmonic must show before it has any weight. */
const CAUTION = 3;
const HARMONICS = SEASON / 2;
/** Rows: cosine and sine of harmonics 1 .. 5, cosine of 6; orthogonal, each with squared norm 6 (the last 12). */
const BASIS: readonly Float64Array[] = Array.from({ length: SEASON - 1 }, (_, row) => {
  const harmonic = Math.floor(row / 2) + 1;
  const wave = row % 2 === 0 ? Math.cos : Math.sin;
  return Float64Array.from({ length: SEASON }, (__, m) => wave((2 * Math.PI * harmonic * m) / SEASON));
});

/**
 * Seasonal pattern from running means of deviations, one per calendar month, shrunk harmonic by harmonic: the Fourier terms of
 * the twelve means are multiplied by B_k = max(0, 1 - 3 noise / power_k), an empirical-Bayes factor per harmonic. A series without
 * season keeps little noise, a smooth season is known after two years, a single peak month needs (and gets) all harmonics.
 * Recording is O(1), refreshing about 130 multiplications.
 */
export class ShrunkSeason {
  /** Shrunk pattern, centred on zero. */
  readonly pattern = new Float64Array(SEASON);
  private readonly sums = new Float64Array(SEASON);
  private readonly counts = new Float64Array(SEASON);
  private readonly means = new Float64Array(SEASON);
  private squares = 0;

  record(calendarMonth: number, deviation: number): void {
    this.sums[calendarMonth]! += deviation;
    this.counts[calendarMonth]! += 1;
    this.squares += deviation * deviation;
  }

  /** Recomputes the pattern; zero until every calendar month was seen and some twice. */
  refresh(): void {
    const { sums, counts, means, pattern } = this;
    pattern.fill(0);
    let total = 0;
    let explained = 0;
    for (let m = 0; m < SEASON; m++) {
      if (counts[m] === 0) return;
      total += counts[m]!;
      means[m] = sums[m]! / counts[m]!;
      explained += sums[m]! * means[m]!;
    }
    if (total <= SEASON) return;
    const within = Math.max(this.squares - explained, 0) / (total - SEASON);
    const perMean = within / (total / SEASON);
    for (let k = 1; k <= HARMONICS; k++) this.addHarmonic(k, perMean);
  }

  /** Adds harmonic k to the pattern, shrunk. */
  private addHarmonic(k: number, perMean: number): void {
    const { means, pattern } = this;
    const cosine = BASIS[2 * k - 2]!;
    const sine = k < HARMONICS ? BASIS[2 * k - 1]! : undefined;
    const norm = sine ? SEASON / 2 : SEASON;
    let a = 0;
    let b = 0;
    for (let m = 0; m < SEASON; m++) {
      a += cosine[m]! * means[m]!;
      if (sine) b += sine[m]! * means[m]!;
    }
    const terms = sine ? 2 : 1;
    // Under noise alone a and b have variance norm x perMean each.
    const power = (a * a + b * b) / terms;
    const factor = power > 0 ? Math.max(0, 1 - (CAUTION * norm * perMean) / power) : 0;
    if (factor === 0) return;
    for (let m = 0; m < SEASON; m++) {
      pattern[m]! += (factor / norm) * (a * cosine[m]! + (sine ? b * sine[m]! : 0));
    }
  }
}
