import { classifyDemand } from './classify.js';
import type { DemandHistory } from '../types.js';

/** Months without demand after which demand begins anew: longer than the pause of anything sold once a year. */
const SILENCE = 12;
/** Months since the restart that are enough to forecast from; fewer may be no more than a few orders. */
const FEWEST_SINCE = 3;

/**
 * The part of a history since demand began anew, where earlier months without demand would make frequent demand look rare:
 * products whose export fills the months before their launch with zeros, products that are listed again. Any other history comes
 * back as it is. So does demand of a few pieces a month, of which the pooled count model makes more from all months (car parts,
 * MASE and WQL9 when chosen .7910 / .8515, else .7913 / .8518).
 */
export function sinceRestart(history: DemandHistory): DemandHistory {
  const { values, startMonth } = history;
  if (!classifyDemand(values).infrequent) return history;
  const start = restartOf(values) || launchOf(values);
  const since = values.subarray(start);
  const { observed, countShare } = classifyDemand(since);
  return countShare > 0.5 || observed < FEWEST_SINCE
    ? history
    : { ...history, startMonth: startMonth + start, values: since };
}

/** First month of demand after the last silence of {@link SILENCE} months; 0 where there was none. */
function restartOf(values: Float64Array): number {
  let silent = 0;
  let start = 0;
  for (let t = 0; t < values.length; t++) {
    if (values[t] === 0) silent++;
    if (!(values[t]! > 0)) continue;
    if (silent >= SILENCE) start = t;
    silent = 0;
  }
  return start;
}

/**
 * First month of demand, where it is frequent demand since, with at most one month in {@link SILENCE} without any; else 0. With more
 * such months the demand may be rare and its first orders close together by chance.
 */
function launchOf(values: Float64Array): number {
  const launch = values.findIndex((value) => value > 0);
  if (launch < 1) return 0;
  const since = values.subarray(launch);
  const empty = since.filter((value) => value === 0).length;
  return SILENCE * empty <= classifyDemand(since).observed ? launch : 0;
}
