import { readSet, type SetName } from './bundled-sets.js';

/** Observed months a history must have before a window may end. */
export const MIN_HISTORY = 12;

/** The training part of one bundled set, cut before its end; plain arrays, so that it travels to worker threads. */
export interface Domain {
  readonly name: SetName;
  /** Share of a batch drawn from it. */
  readonly share: number;
  /** Whether its windows may be mixed with others; sums of two intermittent series are not intermittent. */
  readonly mixed: boolean;
  readonly series: readonly Float64Array[];
  /** Number of windows in series 0..i, for drawing windows uniformly. */
  readonly cumulativeWindows: Float64Array;
}

const SHORTEST = 18;

/**
 * @param cut horizons to leave out before the end of each training part: 1 keeps a backtest at one horizon honest, 2 is for
 *   choosing settings on that backtest and the one before.
 */
export function loadDomain(directory: string, name: SetName, share: number, cut: number): Domain {
  const series = readSet(directory, name)
    .map(({ train, test }) => train.slice(0, Math.max(0, train.length - cut * test.length)))
    .filter((values) => values.length >= SHORTEST);
  const cumulativeWindows = new Float64Array(series.length);
  let windows = 0;
  series.forEach((values, i) => {
    windows += values.length - MIN_HISTORY;
    cumulativeWindows[i] = windows;
  });
  return { name, share, mixed: name !== 'carparts2509', series, cumulativeWindows };
}
