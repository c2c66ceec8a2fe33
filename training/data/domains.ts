import { join } from 'node:path';
import { type BundledSet, cutBack, readSet } from '../../bench/support/data-sets.js';

/** Observed months a history must have before a window may end. */
export const MIN_HISTORY = 12;

/** The training part of one bundled set, cut before its end; plain arrays, so that it travels to threads. */
export interface Domain {
  readonly name: BundledSet;
  /** Share of a batch drawn from it. */
  readonly share: number;
  /** Whether its windows may be mixed with others; sums of two intermittent series are not intermittent. */
  readonly mixed: boolean;
  readonly series: readonly Float64Array[];
  /** Number of windows in series 0..i, for drawing windows uniformly. */
  readonly cumulativeWindows: Float64Array;
}

/** Months below which a history has too few windows to be worth drawing from. */
const SHORTEST = 18;

/**
 * Reads the training part of a set in `directory`.
 * @param cut horizons to leave out before the end of each training part: 1 keeps a backtest at one horizon honest, 2 is for
 *   choosing settings on that backtest and the one before.
 */
export function loadDomain(directory: string, name: BundledSet, share: number, cut: number): Domain {
  const series = cutBack(readSet(join(directory, name)), cut)
    .series.map(({ history }) => history.values)
    .filter((values) => values.length >= SHORTEST);
  const cumulativeWindows = new Float64Array(series.length);
  let windows = 0;
  series.forEach((values, i) => {
    windows += values.length - MIN_HISTORY;
    cumulativeWindows[i] = windows;
  });
  return { name, share, mixed: name !== 'carparts2509', series, cumulativeWindows };
}
