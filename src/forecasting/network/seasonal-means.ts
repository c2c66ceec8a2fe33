import { SEASON } from '../types.js';
import { INPUT_MONTHS } from './shape.js';

/** Observed share of a year below which its centered mean is not used. */
const ENOUGH_OF_A_YEAR = 0.75;

const phaseSum = new Float64Array(SEASON);
const phaseSquares = new Float64Array(SEASON);
const phaseCount = new Float64Array(SEASON);
const sums = new Float64Array(INPUT_MONTHS + 1);
const counts = new Float64Array(INPUT_MONTHS + 1);

/** Running sums and counts of a series, entry i over the months before i. */
function accumulate(series: Float64Array, months: number): void {
  for (let i = 0; i < months; i++) {
    const x = series[i]!;
    const missing = Number.isNaN(x);
    sums[i + 1] = sums[i]! + (missing ? 0 : x);
    counts[i + 1] = counts[i]! + (missing ? 0 : 1);
  }
}

/** Mean of the 13 months around i, the outer two at half weight; NaN where too few are observed. */
function centeredMean(i: number): number {
  const sum = sums[i + 6]! - sums[i - 5]! + sums[i + 7]! - sums[i - 6]!;
  const count = counts[i + 6]! - counts[i - 5]! + counts[i + 7]! - counts[i - 6]!;
  return count >= 2 * ENOUGH_OF_A_YEAR * SEASON ? sum / count : Number.NaN;
}

/**
 * Additive seasonal effects of the first `months` values of a series (at most {@link INPUT_MONTHS}, NaN where missing): the means by
 * month of the deviations from the centered yearly mean, shrunk by their own noise.
 * @param season receives the 12 effects by phase (months - 1 - i) mod 12, that is counted backwards from the last month.
 * @returns the share kept: 1 - noise of a phase mean / variance between phases, 0 without a year and a half of deviations.
 */
export function estimateSeason(series: Float64Array, months: number, season: Float64Array): number {
  phaseSum.fill(0);
  phaseSquares.fill(0);
  phaseCount.fill(0);
  season.fill(0);
  accumulate(series, months);
  let count = 0;
  for (let i = 6; i < months - 6; i++) {
    const deviation = series[i]! - centeredMean(i);
    if (Number.isNaN(deviation)) continue;
    const phase = (months - 1 - i) % SEASON;
    phaseSum[phase]! += deviation;
    phaseSquares[phase]! += deviation * deviation;
    phaseCount[phase]! += 1;
    count++;
  }
  if (count < SEASON + SEASON / 2) return 0;
  let within = 0;
  let between = 0;
  let phases = 0;
  let center = 0;
  for (let p = 0; p < SEASON; p++) {
    const c = phaseCount[p]!;
    if (c === 0) continue;
    season[p] = phaseSum[p]! / c;
    within += phaseSquares[p]! - c * season[p]! * season[p]!;
    center += season[p]!;
    phases++;
  }
  center /= phases;
  for (let p = 0; p < SEASON; p++) if (phaseCount[p]! > 0) between += (season[p]! - center) ** 2;
  between /= Math.max(phases - 1, 1);
  const noise = (Math.max(within, 0) / Math.max(count - phases, 1)) * (phases / count);
  const kept = between > noise ? 1 - noise / between : 0;
  for (let p = 0; p < SEASON; p++) season[p] = phaseCount[p]! > 0 ? kept * (season[p]! - center) : 0;
  return kept;
}
