import { sumOf } from '../../src/numeric/sum.js';
import { SEASON } from '../../src/forecasting/types.js';
import { type Random } from '../random.js';

/** A pattern over twelve months with mean 0 and standard deviation 1: decaying harmonics, free monthly values or a few peaks. */
function seasonalPattern(random: Random): Float64Array {
  const pattern = new Float64Array(SEASON);
  const kind = random.uniform();
  if (kind < 0.15) for (let m = 0; m < SEASON; m++) pattern[m] = random.chance(0.12) ? random.exponential(2) : 0;
  else if (kind < 0.45) for (let m = 0; m < SEASON; m++) pattern[m] = random.normal();
  else addHarmonics(random, pattern);
  return standardize(pattern);
}

function addHarmonics(random: Random, pattern: Float64Array): void {
  const decay = random.uniform(0.3, 1.6);
  for (let harmonic = 1; harmonic <= SEASON / 2; harmonic++) {
    const amplitude = random.normal() / harmonic ** decay;
    const phase = random.uniform(0, 2 * Math.PI);
    for (let m = 0; m < SEASON; m++)
      pattern[m] = pattern[m]! + amplitude * Math.cos((2 * Math.PI * harmonic * m) / SEASON + phase);
  }
}

function standardize(pattern: Float64Array): Float64Array {
  const mean = sumOf(pattern) / SEASON;
  const variance = pattern.reduce((sum, x) => sum + (x - mean) ** 2, 0) / SEASON;
  return pattern.map((x) => (x - mean) / (Math.sqrt(variance) + 1e-6));
}

/** Adds a seasonal pattern to a series on the log scale: none in a quarter of the cases, slowly changing in three of ten. */
export function addSeasonality(random: Random, series: Float64Array): void {
  if (random.chance(0.25)) return;
  const amplitude = random.lognormal(-2.2, 1);
  const first = seasonalPattern(random);
  const change = random.chance(0.3) ? 0.5 : 0;
  const last = first.map((x) => x + change * random.normal());
  for (let t = 0; t < series.length; t++) {
    const weight = t / series.length;
    const m = t % SEASON;
    series[t] = series[t]! + amplitude * ((1 - weight) * first[m]! + weight * last[m]!);
  }
}
