import { median } from '../../../numeric/sample-quantile.js';
import { SEASON } from '../../types.js';
import type { ObservedMonth } from './predictor-state.js';

/** Months on either side of a step, at least. */
const MIN_SIDE = 4;
/** Months a year apart that must be known, and those of them that a step must lie between. */
const MIN_PAIRS = 9;
const MIN_MOVED = 3;
/** Share of the scatter of changes within a year that a step leaves at most: growth changes all months alike. */
const UNEXPLAINED = 0.35;
/** Months on either side of a step after a year, and the share of it that demand must move by between them: growth takes longer. */
const NEARBY = 3;
const AT_ONCE = 0.7;

/** A month of the first year and the same one of the second. */
interface Pair {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

/** A step of demand before a month, and the pairs that it lies between. */
interface Step {
  /** First index of the new level. */
  readonly start: number;
  readonly moved: readonly Pair[];
}

/**
 * The months of a warm-up with those before a step brought to the level after it, in proportion; undefined where none shows. Seasons
 * do not hide it, as months are compared with those of the year before: a step moves those that it lies between, growth all of
 * them. Only after a year exactly it moves all, and must show from one quarter to the next.
 */
export function withoutStep(warmUp: readonly ObservedMonth[]): readonly ObservedMonth[] | undefined {
  const valueAt = new Map(warmUp.map(({ index, value }) => [index, value]));
  const pairs = warmUp.flatMap(({ index, value }): Pair[] => {
    const to = valueAt.get(index + SEASON);
    return to === undefined ? [] : [{ index, from: value, to }];
  });
  if (pairs.length < MIN_PAIRS) return undefined;
  const step = stepBetween(pairs, warmUp) ?? stepAfterYear(pairs, warmUp);
  if (!step) return undefined;
  const [before, after] = [meanOf(step.moved, ({ from }) => from), meanOf(step.moved, ({ to }) => to)];
  if (!(before > 0 && after > 0)) return undefined;
  return warmUp.map(({ index, value }) => ({ index, value: index < step.start ? (value * after) / before : value }));
}

/** The step that leaves least of the changes within a year unexplained; undefined if that is too much. */
function stepBetween(pairs: readonly Pair[], warmUp: readonly ObservedMonth[]): Step | undefined {
  let least = UNEXPLAINED * squaresAbout(pairs, meanOf(pairs, changeOf));
  let step: Step | undefined;
  for (const { index: start } of warmUp.slice(MIN_SIDE, 1 - MIN_SIDE)) {
    const isMoved = ({ index }: Pair): boolean => index < start && index + SEASON >= start;
    const moved = pairs.filter(isMoved);
    if (moved.length < MIN_MOVED || moved.length === pairs.length) continue;
    const size = meanOf(moved, changeOf);
    const left = pairs.reduce((sum, pair) => sum + (changeOf(pair) - (isMoved(pair) ? size : 0)) ** 2, 0);
    if (left < least) [step, least] = [{ start, moved }, left];
  }
  return step;
}

/** A step that all changes within a year come of, if it explains most of them. */
function stepAfterYear(pairs: readonly Pair[], warmUp: readonly ObservedMonth[]): Step | undefined {
  const size = meanOf(pairs, changeOf);
  if (!(squaresAbout(pairs, size) < UNEXPLAINED * squaresAbout(pairs, 0))) return undefined;
  const at = warmUp.findIndex(({ index }) => index >= warmUp[0]!.index + SEASON);
  const levelOf = (from: number, to: number): number => median(warmUp.slice(from, to).map(({ value }) => value));
  const nearby: Pair = { index: at, from: levelOf(at - NEARBY, at), to: levelOf(at, at + NEARBY) };
  return changeOf(nearby) / size > AT_ONCE ? { start: warmUp[at]!.index, moved: pairs } : undefined;
}

function squaresAbout(pairs: readonly Pair[], center: number): number {
  return pairs.reduce((sum, pair) => sum + (changeOf(pair) - center) ** 2, 0);
}

/** Change between the two years as a share of both together, whatever the season of the month. */
function changeOf({ from, to }: Pair): number {
  return from + to > 0 ? (to - from) / (from + to) : 0;
}

function meanOf(pairs: readonly Pair[], value: (pair: Pair) => number): number {
  return pairs.reduce((sum, pair) => sum + value(pair), 0) / pairs.length;
}
