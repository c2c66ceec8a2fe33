import { demandScale, meanSize } from './rates.js';
import type { DatedCounts } from './season/month-sums.js';

/** What is known of the series of a workspace that have had no demand so far. */
export interface UnsoldSeries {
  /** Step that their demand is counted in, in units of demand: a typical demand takes as many steps as in series that have sold. */
  readonly step: number;
}

/** Fewer cuts before the first demand of a series say nothing about what comes of such series. */
const MIN_CUTS = 10;

/** Whether there was demand in the first `length` months. */
export function hasSold(counts: Float64Array, length: number): boolean {
  return counts.subarray(0, length).some((count) => count > 0);
}

/**
 * Learns from the series that had no demand before a cut, one entry a cut; null where these are too few, or none of them sold
 * later: the learned models smooth over all series, and would foretell demand that nothing like it ever had. From those that sold
 * later come the typical size of a demand, and the same over the scale of its series. Typical is the geometric mean: where half of
 * the series sell single pieces and half sell hundreds, the median is one or the other from run to run.
 */
export function unsoldSeries(beforeDemand: readonly DatedCounts[]): UnsoldSeries | null {
  if (beforeDemand.length < MIN_CUTS) return null;
  const sold = beforeDemand.filter(({ counts }) => hasSold(counts, counts.length));
  if (sold.length === 0) return null;
  const sizes = sold.map(({ counts }) => meanSize(counts));
  const inScales = sold.reduce((sum, { counts }, i) => sum + sizes[i]! / demandScale(counts, counts.length), 0);
  const logSize = sold.reduce((sum, series, i) => sum + Math.log(series.unit * sizes[i]!), 0) / sold.length;
  const step = (Math.exp(logSize) * sold.length) / inScales;
  const unit = Math.min(...sold.map((series) => series.unit));
  return { step: unit * Math.max(1, Math.round(step / unit)) };
}
