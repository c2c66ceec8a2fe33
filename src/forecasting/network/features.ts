import { SEASON } from '../types.js';
import { encodeClassical } from './classical-features.js';
import { CLASSICAL_AT, INPUT_MONTHS, INPUTS } from './shape.js';

/** How a window was scaled: value = centre + spread * network unit. */
export interface WindowScale {
  centre: number;
  spread: number;
  /** Mean absolute difference of the same month in successive years (or `spread` without such pairs), at least a tenth of `spread`. */
  seasonalChange: number;
}

const CENTRE_MONTHS = 12;
const SPREAD_MONTHS = 36;
const VALUE_LIMIT = 8;
/** Counts above this are treated like any other quantity. */
const COUNT_LIMIT = 60;

const clip = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/**
 * Writes the network's input row for the months `[end - INPUT_MONTHS, end)` of a series and says how it was scaled.
 *
 * Values are centred on the mean of the last 12 months and divided by the root mean square deviation from it over the last 36,
 * so that the network sees shape only; what scale and counts tell is in the summary features. NaN marks a missing month,
 * months before the start of the series count as missing.
 * @param values monthly values, oldest first.
 * @param end one past the last month of the window, 0..values.length.
 * @param row receives {@link INPUTS} numbers from index `at`.
 * @param scale receives the scale, so that nothing is allocated.
 * @param months months of history to look at, at most {@link INPUT_MONTHS}.
 * @returns the number of observed months in the window.
 */
export function encodeWindow(
  values: Float64Array | Float32Array,
  end: number,
  row: Float32Array,
  at: number,
  scale: WindowScale,
  months: number = INPUT_MONTHS,
): number {
  const start = Math.max(0, end - Math.min(months, INPUT_MONTHS));
  let observed = 0;
  let zeros = 0;
  let largest = 0;
  let integers = true;
  let recent = 0;
  let recentSum = 0;
  for (let t = start; t < end; t++) {
    const x = values[t]!;
    if (Number.isNaN(x)) continue;
    observed++;
    if (x === 0) zeros++;
    largest = Math.max(largest, Math.abs(x));
    if (x !== Math.round(x)) integers = false;
    if (t >= end - CENTRE_MONTHS) {
      recent++;
      recentSum += x;
    }
  }
  const centre = recent > 0 ? recentSum / recent : 0;

  let squares = 0;
  let spreadCount = 0;
  let stepSum = 0;
  let steps = 0;
  let seasonalSum = 0;
  let seasonal = 0;
  for (let t = start; t < end; t++) {
    const x = values[t]!;
    if (Number.isNaN(x)) continue;
    if (t >= end - SPREAD_MONTHS) {
      squares += (x - centre) * (x - centre);
      spreadCount++;
    }
    if (t > start && !Number.isNaN(values[t - 1]!)) {
      stepSum += Math.abs(x - values[t - 1]!);
      steps++;
    }
    if (t >= start + SEASON && !Number.isNaN(values[t - SEASON]!)) {
      seasonalSum += Math.abs(x - values[t - SEASON]!);
      seasonal++;
    }
  }
  const magnitude = Math.abs(centre);
  const floor = 1e-3 * magnitude + 1e-9 * (largest > 0 ? largest : 1);
  const spread = Math.sqrt(squares / Math.max(spreadCount, 1)) + floor;
  const seasonalChange = Math.max(seasonal > 0 ? seasonalSum / seasonal : spread, 0.1 * spread);
  const step = steps > 0 ? stepSum / steps : 0;
  const counts = integers && largest < COUNT_LIMIT ? 1 : 0;

  row.fill(0, at, at + INPUTS);
  const offset = at + INPUT_MONTHS - end;
  for (let t = start; t < end; t++) {
    const x = values[t]!;
    if (Number.isNaN(x)) continue;
    row[offset + t] = clip((x - centre) / spread, -VALUE_LIMIT, VALUE_LIMIT);
    row[offset + INPUT_MONTHS + t] = 1;
  }
  let feature = at + 2 * INPUT_MONTHS;
  row[feature++] = Math.log(magnitude > 0 ? clip(spread / magnitude, 1e-3, 10) : 10);
  row[feature++] = observed / INPUT_MONTHS;
  row[feature++] = zeros / Math.max(observed, 1);
  row[feature++] = Math.log(clip(seasonalChange / spread, 0.05, 5));
  row[feature++] = Math.log(clip(step / spread, 0.02, 5));
  row[feature++] = counts;
  row[feature++] = counts * Math.log1p(Math.min(magnitude, COUNT_LIMIT));
  row[feature++] = counts * Math.log1p(Math.min(spread, COUNT_LIMIT));
  row[feature++] = clip(-centre / spread, -5, 0);

  scale.centre = centre;
  scale.spread = spread;
  scale.seasonalChange = seasonalChange;
  encodeClassical(values, start, end, row, at + CLASSICAL_AT, scale);
  return observed;
}
