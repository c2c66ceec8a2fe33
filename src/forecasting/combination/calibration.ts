import { clamp } from '../../numeric/clamp.js';
import { sumOf } from '../../numeric/sum.js';
import { LEVELS, MEDIAN, type QuantileForecast } from '../types.js';
import { sampleQuantile } from '../../numeric/sample-quantile.js';

/** Factors on the spread of a forecast, one for each third of the horizon. */
export type Calibration = readonly [number, number, number];

/**
 * Prior standard deviation of the logarithm of a factor, around 0: how far the factors of workspaces lie apart. One factor
 * serves both sides of the median, because shocks are common to the series of a workspace: asymmetric factors cost hospital 2 to
 * 5 % of its quantile loss at the last training origin.
 */
const SPREAD_OF_FACTORS = 0.1;
/**
 * Usual standard deviation of the logarithms of the factors of single windows (pooled over the last six windows in the training
 * parts of m3, hospital, tourism and M1), and its weight in degrees of freedom beside the windows' own.
 */
const USUAL_DISAGREEMENT = 0.11;
const USUAL_WEIGHT = 3;
/** Bounds of a factor of one backtest. */
const MIN_FACTOR = 0.5;
const MAX_FACTOR = 2.5;
/** Fewest observed months that a third is calibrated from, and fewest forecasts from long histories that calibrate without the others. */
const MIN_SAMPLE = 60;
/**
 * Observed months from which histories calibrate, where there are enough of them. Forecasts of shorter ones come with other
 * weights and narrower intervals than they should have, and would widen all: hospital at its last training origin covers
 * 85.9 % with them, 82.3 % without, and has a quantile loss .9 % lower without; m3 stays as it is.
 */
const LONG_HISTORY = 48;
const TOP = LEVELS - 1;

/** A combined forecast at an earlier origin and what then happened (NaN = missing). */
export interface CalibrationCase {
  /** The origin it was made at, by any number: cases of one origin share its shocks. */
  readonly window: number;
  /** Observed months of the history that the forecast started from. */
  readonly months: number;
  readonly forecast: QuantileForecast;
  readonly actual: Float64Array;
}

/** Which third of a horizon of `steps` months step `k` falls in; steps beyond count to the last. */
export function thirdOf(k: number, steps: number): 0 | 1 | 2 {
  return Math.min(2, Math.floor((3 * k) / steps)) as 0 | 1 | 2;
}

/**
 * Spread factors from a workspace's own backtest: the .9 quantile of the deviations from the median in units of the upper
 * and of the lower half spread, their geometric mean (split conformal scaling with a normalized score; Romano, Patterson &
 * Candes, 2019), its logarithm shrunk to 0 the more, the more the factors of single windows disagree (normal prior and
 * normal means; Efron & Morris, JASA 68, 1973).
 */
export function learnCalibration(cases: readonly CalibrationCase[], steps: number): Calibration {
  const long = cases.filter(({ months }) => months >= LONG_HISTORY);
  const used = long.length >= MIN_SAMPLE ? long : cases;
  const windows = [...new Set(used.map(({ window }) => window))];
  const single = windows.map((window) =>
    logFactors(
      used.filter((one) => one.window === window),
      steps,
    ),
  );
  const variance = disagreement(single);
  const [first, second, third] = logFactors(used, steps).map((factor, i) => {
    const count = Math.max(1, single.filter((factors) => !Number.isNaN(factors[i]!)).length);
    const strength = SPREAD_OF_FACTORS ** 2 / (SPREAD_OF_FACTORS ** 2 + variance / count);
    return Number.isNaN(factor) ? 1 : Math.exp(strength * factor);
  });
  return [first!, second!, third!];
}

/** Logarithms of the factors that would have given the cases the right spread, by third; NaN where there are too few months. */
function logFactors(cases: readonly CalibrationCase[], steps: number): readonly number[] {
  const above: number[][] = [[], [], []];
  const below: number[][] = [[], [], []];
  for (const { forecast, actual } of cases) {
    for (let k = 0; k < actual.length; k++) {
      const median = forecast.quantiles[k * LEVELS + MEDIAN]!;
      const upper = forecast.quantiles[k * LEVELS + TOP]! - median;
      const lower = median - forecast.quantiles[k * LEVELS]!;
      const deviation = actual[k]! - median;
      if (Number.isNaN(deviation) || !(upper > 0) || !(lower > 0)) continue;
      const third = thirdOf(k, steps);
      above[third]!.push(deviation / upper);
      below[third]!.push(-deviation / lower);
    }
  }
  return above.map((ratios, third) => {
    if (ratios.length < MIN_SAMPLE) return NaN;
    const up = clamp(sampleQuantile(ratios, 0.9), MIN_FACTOR, MAX_FACTOR);
    const down = clamp(sampleQuantile(below[third]!, 0.9), MIN_FACTOR, MAX_FACTOR);
    return 0.5 * Math.log(up * down);
  });
}

/** Variance of the factors between windows, pooled over the thirds and drawn to the usual one. */
function disagreement(windows: readonly (readonly number[])[]): number {
  let squares = USUAL_WEIGHT * USUAL_DISAGREEMENT ** 2;
  let freedom = USUAL_WEIGHT;
  for (let third = 0; third < 3; third++) {
    const factors = windows.map((window) => window[third]!).filter((factor) => !Number.isNaN(factor));
    const mean = sumOf(factors) / factors.length;
    for (const factor of factors) squares += (factor - mean) ** 2;
    freedom += Math.max(0, factors.length - 1);
  }
  return squares / freedom;
}

/** Scales the deviations from the median, in place; `steps` is the number of months the factors were learned over. */
export function applyCalibration(forecast: QuantileForecast, calibration: Calibration, steps: number): void {
  const { quantiles } = forecast;
  for (let k = 0; k < forecast.mean.length; k++) {
    const factor = calibration[thirdOf(k, steps)];
    const median = quantiles[k * LEVELS + MEDIAN]!;
    for (let i = k * LEVELS; i < (k + 1) * LEVELS; i++) quantiles[i] = median + (quantiles[i]! - median) * factor;
  }
}
