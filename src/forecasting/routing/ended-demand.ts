import { classifyDemand } from './classify.js';

/** Observed months that must show demand to be frequent. */
const MIN_BEFORE = 12;

/**
 * Observed months without demand at the end of a history (NaN = missing) whose demand was frequent until then, where they are more
 * than any pause before; else 0. Rare orders, and goods of a season, pause as long every time: theirs has not ended.
 */
export function monthsSinceEnd(values: Float64Array): number {
  const first = values.findIndex((value) => value > 0);
  if (first < 0) return 0;
  let last = first;
  let silent = 0;
  let longestPause = 0;
  let observed = 1;
  for (let t = first + 1; t < values.length; t++) {
    if (Number.isNaN(values[t]!)) continue;
    observed++;
    if (values[t]! <= 0) {
      silent++;
      continue;
    }
    longestPause = Math.max(longestPause, silent);
    silent = 0;
    last = t;
  }
  if (observed - silent < MIN_BEFORE) return 0;
  return silent > longestPause && !classifyDemand(values.subarray(first, last + 1)).infrequent ? silent : 0;
}
