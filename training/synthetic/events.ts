import { type Random } from '../random.js';

/** A straight trend of a few percent a year. */
export function addDrift(random: Random, series: Float64Array): void {
  const drift = random.normal(0, 0.008);
  for (let t = 0; t < series.length; t++) series[t] = series[t]! + drift * t;
}

/** A sine of 20 to 70 months, in a fifth of the series. */
export function addCycle(random: Random, series: Float64Array): void {
  if (!random.chance(0.2)) return;
  const amplitude = random.normal(0, 0.12);
  const period = random.uniform(20, 70);
  const phase = random.uniform(0, 2 * Math.PI);
  for (let t = 0; t < series.length; t++)
    series[t] = series[t]! + amplitude * Math.sin((2 * Math.PI * t) / period + phase);
}

/**
 * A business cycle: second-order autoregression with complex roots, period 30 to 90 months, so that upswings and recessions
 * come irregularly and cannot be continued like a sine.
 */
export function addBusinessCycle(random: Random, series: Float64Array): void {
  const period = random.uniform(30, 90);
  const damping = random.uniform(0.94, 0.99);
  const first = 2 * damping * Math.cos((2 * Math.PI) / period);
  const second = -damping * damping;
  // Standard deviation of the process for unit errors, to set the amplitude directly.
  const variance = (1 - second) / ((1 + second) * ((1 - second) ** 2 - first ** 2));
  const scale = random.lognormal(-2.7, 0.7) / Math.sqrt(variance);
  let before = 0;
  let last = 0;
  for (let t = -60; t < series.length; t++) {
    const next = first * last + second * before + random.normal();
    before = last;
    last = next;
    if (t >= 0) series[t] = series[t]! + scale * next;
  }
}

/** A lasting level shift in 15 % of the series. */
export function addShift(random: Random, series: Float64Array): void {
  if (!random.chance(0.15)) return;
  const size = random.normal(0, 0.25);
  for (let t = random.integer(5, series.length); t < series.length; t++) series[t] = series[t]! + size;
}

/** Isolated outliers, 1 % of the months of three in ten series. */
export function addOutliers(random: Random, series: Float64Array): void {
  if (!random.chance(0.3)) return;
  for (let t = 0; t < series.length; t++) if (random.chance(0.01)) series[t] = series[t]! + random.normal(0, 0.5);
}

/** A shock that fades: a drop or peak that decays geometrically over some months. */
export function addTransientShock(random: Random, series: Float64Array): void {
  const size = random.normal(0, 0.4);
  const decay = random.uniform(0.4, 0.95);
  const start = random.integer(0, series.length);
  let effect = size;
  for (let t = start; t < series.length; t++, effect *= decay) series[t] = series[t]! + effect;
}

/** A launch or a fade-out: the level moves along a logistic curve, fast or over years. */
export function addLifeCycle(random: Random, series: Float64Array): void {
  const size = random.normal(0, 0.8);
  const middle = random.uniform(-10, series.length + 10);
  const width = random.uniform(2, 18);
  for (let t = 0; t < series.length; t++) series[t] = series[t]! + size / (1 + Math.exp(-(t - middle) / width));
}

/** From one month on, deviations from the value of the month before it are multiplied by a factor. */
export function addVarianceChange(random: Random, series: Float64Array): void {
  const start = random.integer(10, series.length);
  const factor = random.lognormal(0, 0.6);
  const anchor = series[start - 1]!;
  for (let t = start; t < series.length; t++) series[t] = anchor + factor * (series[t]! - anchor);
}
