import { type Random } from '../random.js';

/** Independent errors, normal or (three in ten) heavy-tailed, with a standard deviation around 7 % on the log scale. */
function errors(random: Random, months: number): Float64Array {
  const deviation = random.lognormal(-2.6, 0.9);
  const heavy = random.chance(0.3);
  return Float64Array.from(
    { length: months },
    () => deviation * (heavy ? 0.75 * random.student(3.5) : random.normal()),
  );
}

function smoothing(random: Random): number {
  if (random.chance(0.2)) return 0;
  return random.chance(0.3) ? random.uniform(0.5, 1) : random.beta(1.2, 3);
}

/** Level and damped trend driven by the same errors as the observations (the innovations form, Hyndman et al. 2008). */
function exponentialSmoothing(random: Random, e: Float64Array, drift: number): Float64Array {
  const alpha = smoothing(random);
  const beta = random.chance(0.35) ? random.beta(1, 10) * alpha : 0;
  const phi = random.chance(0.5) ? random.uniform(0.8, 0.99) : 1;
  let level = 0;
  let trend = drift;
  return e.map((error) => {
    const expected = level + trend;
    level = expected + alpha * error;
    trend = phi * trend + beta * error;
    return expected + error;
  });
}

/** First-order autoregression around a straight trend, which breaks in four of ten series. */
function trendStationary(random: Random, e: Float64Array, drift: number): Float64Array {
  const persistence = random.uniform(0.2, 0.97);
  const kink = random.integer(20, e.length);
  const bend = random.chance(0.4) ? random.normal(0, 0.01) : 0;
  let deviation = 2 * e[0]!;
  return e.map((error, t) => {
    deviation = persistence * deviation + error;
    return 2 * drift * t + bend * Math.max(t - kink, 0) + deviation;
  });
}

/** The non-seasonal part of a series on the log scale. */
export function levelPath(random: Random, months: number): Float64Array {
  const e = errors(random, months);
  const drift = random.chance(0.4) ? 0 : random.normal(0, 0.006);
  return random.chance(0.65) ? exponentialSmoothing(random, e, drift) : trendStationary(random, e, drift);
}
