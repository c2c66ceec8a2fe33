import { clamp } from '../../numeric/clamp.js';
import { SEASON } from '../types.js';
import { encodeClassical } from './classical-features.js';
import { CLASSICAL_AT, INPUT_MONTHS, INPUTS, SUMMARY } from './shape.js';

/** How a window was scaled: value = center + spread * network unit. */
export interface WindowScale {
  center: number;
  spread: number;
  /** Mean absolute difference of the same month in successive years (or `spread` without such pairs), at least a tenth of `spread`. */
  seasonalChange: number;
}

/** Months whose mean is the center, and months that the spread around it is taken over. */
const CENTER_MONTHS = 12;
const SPREAD_MONTHS = 36;
/** Scaled values are clipped here, so that one outlier does not drown the window. */
const VALUE_LIMIT = 8;
/** Counts above this are treated like any other quantity. */
const COUNT_LIMIT = 60;

type Window = Float64Array | Float32Array;

/** What is measured of one window before it is written; one object, since training encodes some ten million windows. */
const summary = { observed: 0, zeros: 0, largest: 0, integers: true, step: 0 };

/**
 * Writes the network's input row for a history as known at its end, and says how it was scaled. The last {@link INPUT_MONTHS}
 * months are read; those before the start of the series count as missing.
 *
 * Values are centered on the mean of the last 12 months and divided by the root mean square deviation from it over the last 36,
 * so that the network sees shape only; scale and counts are in the summary features.
 * @param history monthly values, oldest first; NaN marks a missing month.
 * @param row receives {@link INPUTS} numbers from index `at`.
 * @param scale receives the scale, so that nothing is allocated but views.
 * @returns the number of observed months in the window.
 */
export function encodeWindow(history: Window, row: Float32Array, at: number, scale: WindowScale): number {
  const window = history.subarray(Math.max(0, history.length - INPUT_MONTHS));
  const n = window.length;
  measureLevel(window, scale);
  measureVariation(window, scale);
  const { center, spread } = scale;

  row.fill(0, at, at + INPUTS);
  const first = at + INPUT_MONTHS - n;
  for (let t = 0; t < n; t++) {
    const x = window[t]!;
    if (Number.isNaN(x)) continue;
    row[first + t] = clamp((x - center) / spread, -VALUE_LIMIT, VALUE_LIMIT);
    row[first + INPUT_MONTHS + t] = 1;
  }
  writeSummary(row, at + 2 * INPUT_MONTHS, scale);
  encodeClassical(window, row, at + CLASSICAL_AT, scale);
  return summary.observed;
}

/** Counts of the window, and the mean of its last year. */
function measureLevel(window: Window, scale: WindowScale): void {
  let observed = 0;
  let zeros = 0;
  let largest = 0;
  let integers = true;
  let recent = 0;
  let recentSum = 0;
  for (let t = 0; t < window.length; t++) {
    const x = window[t]!;
    if (Number.isNaN(x)) continue;
    observed++;
    if (x === 0) zeros++;
    largest = Math.max(largest, Math.abs(x));
    if (x !== Math.round(x)) integers = false;
    if (t >= window.length - CENTER_MONTHS) {
      recent++;
      recentSum += x;
    }
  }
  summary.observed = observed;
  summary.zeros = zeros;
  summary.largest = largest;
  summary.integers = integers;
  scale.center = recent > 0 ? recentSum / recent : 0;
}

/** Spread around the center, and mean absolute changes from month to month and from year to year. */
function measureVariation(window: Window, scale: WindowScale): void {
  const { center } = scale;
  let squares = 0;
  let spreadCount = 0;
  let stepSum = 0;
  let steps = 0;
  let seasonalSum = 0;
  let seasonal = 0;
  for (let t = 0; t < window.length; t++) {
    const x = window[t]!;
    if (Number.isNaN(x)) continue;
    if (t >= window.length - SPREAD_MONTHS) {
      squares += (x - center) * (x - center);
      spreadCount++;
    }
    if (t > 0 && !Number.isNaN(window[t - 1]!)) {
      stepSum += Math.abs(x - window[t - 1]!);
      steps++;
    }
    if (t >= SEASON && !Number.isNaN(window[t - SEASON]!)) {
      seasonalSum += Math.abs(x - window[t - SEASON]!);
      seasonal++;
    }
  }
  const { largest } = summary;
  // A constant window has no spread of its own: a thousandth of its level keeps scaled values finite.
  const floor = 1e-3 * Math.abs(center) + 1e-9 * (largest > 0 ? largest : 1);
  scale.spread = Math.sqrt(squares / Math.max(spreadCount, 1)) + floor;
  scale.seasonalChange = Math.max(seasonal > 0 ? seasonalSum / seasonal : scale.spread, 0.1 * scale.spread);
  summary.step = steps > 0 ? stepSum / steps : 0;
}

/** The summary features: what the scaled values no longer show. */
function writeSummary(row: Float32Array, at: number, { center, spread, seasonalChange }: WindowScale): void {
  const { observed, zeros, largest, integers, step } = summary;
  const magnitude = Math.abs(center);
  const counts = integers && largest < COUNT_LIMIT ? 1 : 0;
  row[at + SUMMARY.relativeSpread] = Math.log(magnitude > 0 ? clamp(spread / magnitude, 1e-3, 10) : 10);
  row[at + SUMMARY.observedShare] = observed / INPUT_MONTHS;
  row[at + SUMMARY.zeroShare] = zeros / Math.max(observed, 1);
  row[at + SUMMARY.seasonalChange] = Math.log(clamp(seasonalChange / spread, 0.05, 5));
  row[at + SUMMARY.step] = Math.log(clamp(step / spread, 0.02, 5));
  row[at + SUMMARY.counts] = counts;
  row[at + SUMMARY.countLevel] = counts * Math.log1p(Math.min(magnitude, COUNT_LIMIT));
  row[at + SUMMARY.countSpread] = counts * Math.log1p(Math.min(spread, COUNT_LIMIT));
  row[at + SUMMARY.distanceToZero] = clamp(-center / spread, -5, 0);
}
