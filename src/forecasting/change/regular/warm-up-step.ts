import { SEASON } from '../../types.js';
import type { ObservedMonth } from './predictor-state.js';

/** Months on either side of a step, at least. */
const MIN_SIDE = 4;
/** Months a year apart that must be known, and those of them that a step must lie between. */
const MIN_PAIRS = 9;
const MIN_MOVED = 3;
/** Share of the scatter of changes within a year that a step leaves at most: growth changes all months alike. */
const UNEXPLAINED = 0.35;
/** Months of an episode, at most: in two years, a longer one hardly differs from a step. */
const MAX_EPISODE = 10;

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
 * do not hide it, as months are compared with those of the year before: a step moves those that it lies between, and growth, like a step
 * after exactly a year, all of them. What else would move the same ones must leave demand less even from month to month.
 */
export function withoutStep(warmUp: readonly ObservedMonth[]): readonly ObservedMonth[] | undefined {
  const valueAt = new Map(warmUp.map(({ index, value }) => [index, value]));
  const pairs = warmUp.flatMap(({ index, value }): Pair[] => {
    const to = valueAt.get(index + SEASON);
    return to === undefined ? [] : [{ index, from: value, to }];
  });
  if (pairs.length < MIN_PAIRS) return undefined;
  const secondYear = warmUp[0]!.index + SEASON;
  const step = stepBetween(pairs, warmUp) ?? stepAfterYear(pairs, secondYear);
  if (!step) return undefined;
  const { start, moved } = step;
  const [before, after] = [meanOf(moved, ({ from }) => from), meanOf(moved, ({ to }) => to)];
  if (!(before > 0 && after > 0)) return undefined;
  const ratio = after / before;
  const levelled = scaled(warmUp, (index) => (index < start ? ratio : 1));
  const others = start === secondYear ? [growth(ratio, secondYear)] : episodes(ratio, start, secondYear);
  const least = Math.min(...others.map((factor) => unevenness(scaled(warmUp, factor))));
  return unevenness(levelled) < least ? levelled : undefined;
}

/** Factors that take growth by `ratio` a year out of demand, to the level in the middle of the second year. */
function growth(ratio: number, secondYear: number): (index: number) => number {
  const middle = secondYear + (SEASON - 1) / 2;
  return (index) => ratio ** ((middle - index) / SEASON);
}

/** The same for episodes that move what the step moves: they end with the first year or begin with the second, or a month off. */
function episodes(ratio: number, start: number, secondYear: number): ((index: number) => number)[] {
  const isFirstYear = start > secondYear;
  return [secondYear - 1, secondYear, secondYear + 1].flatMap((edge) => {
    const [from, to] = isFirstYear ? [start - SEASON, edge] : [edge, start + SEASON];
    if (to - from > MAX_EPISODE) return [];
    return [(index: number) => ((index >= from && index < to) === isFirstYear ? ratio : 1)];
  });
}

function scaled(months: readonly ObservedMonth[], factor: (index: number) => number): ObservedMonth[] {
  return months.map(({ index, value }) => ({ index, value: value * factor(index) }));
}

/** Sum of the squared second differences: those of a season even out over a jump. */
function unevenness(months: readonly ObservedMonth[]): number {
  const value = (i: number): number => months[i]!.value;
  return months.slice(2).reduce((sum, month, i) => sum + (value(i) - 2 * value(i + 1) + month.value) ** 2, 0);
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
function stepAfterYear(pairs: readonly Pair[], secondYear: number): Step | undefined {
  const left = squaresAbout(pairs, meanOf(pairs, changeOf));
  return left < UNEXPLAINED * squaresAbout(pairs, 0) ? { start: secondYear, moved: pairs } : undefined;
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
