import { commonStep, isMultiple, MIN_PACK_SAMPLE } from '../numeric/common-step.js';
import { meanOfPositive } from '../numeric/mean-of-positive.js';
import { isInWholeUnits } from '../numeric/whole-units.js';
import { type DemandForecast, isInfrequent, type Undershoot } from './types.js';
import type { OrderSizes } from './order-sizes.js';
import { undershootOf } from './undershoot.js';

/** Packs of which more make a usual order are fine enough to be counted as the pieces or the weight that they are. */
const MAX_PACKS = 20;
/** Orders that packs are told from at least. */
const MIN_PACKS = 3;
/** Bits of evidence that packs with odd orders need besides: several sizes are tried. */
const TRIED = 3;
/** Share of orders of pieces that need not be of whole packs; one of fewer. */
const MAX_ODD = 1 / 8;

/**
 * Mean orders in pieces, or packs, above which orders are counted and not these: always, and where they are seldom of one. The counts of
 * a negative binomial distribution come of orders of which most are of one or two: of larger ones it covers too few. It covers
 * those of the car parts, that are mostly of one, and counting orders would cover more of them than is asked for (docs/engine-trials.md).
 */
const MANY_PIECES = 10;
const SEVERAL_PIECES = 3;
/** Share of orders of one piece up to which they are seldom; a logarithmic distribution has .43 to .27 of them for means of 3 to 10. */
const SELDOM = 1 / 6;
/** The last decimal of what is measured, at the finest. */
const FINEST = 1e-6;

/** What demand is counted in. */
type Units = Required<Pick<DemandForecast, 'unit'>> & Pick<DemandForecast, 'piece' | 'wholeUnits'>;

/** A forecast as an engine tells it. Structurally the one of `forecasting`. */
export interface EngineForecast extends Pick<DemandForecast, 'mean' | 'quantiles' | 'backtest'> {
  readonly pattern: string;
}

/**
 * What stock needs of a forecast. Infrequent demand of packs, of which each order is a multiple, is counted in packs: three pieces
 * cover no order of six. Where its orders are of several pieces, or of none as kilograms are, these are counted.
 * @param levels probability levels of its quantiles, ascending and symmetric about one half
 * @param history the monthly demand that it was made from, NaN where missing
 * @param orderSizes the demand of single days, where it is known by day
 */
export function demandForecast(
  { mean, quantiles, backtest, pattern }: EngineForecast,
  levels: readonly number[],
  history: Float64Array,
  orderSizes?: OrderSizes,
): DemandForecast {
  const units: Units = isInfrequent({ demandPattern: pattern, quantiles })
    ? unitsOf(history)
    : { unit: 1, wholeUnits: isInWholeUnits(history) };
  const undershoot = orderSizes && inUnits(undershootOf(orderSizes, pieceOf(units)), units.unit);
  const counted = (values: ArrayLike<number>): ArrayLike<number> =>
    units.unit === 1 ? values : Float64Array.from(values, (value) => value / units.unit);
  return {
    mean: counted(mean),
    quantiles: counted(quantiles),
    levels,
    backtest: backtest.map((window) => ({
      actual: counted(window.actual),
      mean: counted(window.mean),
      quantiles: counted(window.quantiles),
    })),
    demandPattern: pattern,
    ...units,
    ...(undershoot && { undershoot }),
  };
}

/** Size of the pieces or packs that demand comes in; 0 where it comes in none. */
function pieceOf({ unit, piece = 0, wholeUnits }: Units): number {
  return wholeUnits ? unit : piece;
}

function inUnits({ mean, sigma, dayDemand }: Undershoot, unit: number): Undershoot {
  return { mean: mean / unit, sigma: sigma / unit, dayDemand: dayDemand / unit };
}

/** What infrequent demand is counted in. */
function unitsOf(history: Float64Array): Units {
  const piece = packOf(history) ?? (isInWholeUnits(history) ? 1 : undefined);
  const order = meanOfPositive(history);
  if (piece === undefined) return { unit: order > 0 ? order : 1, wholeUnits: false };
  const isSingly = singleShare(history, piece) > SELDOM;
  return order > (isSingly ? MANY_PIECES : SEVERAL_PIECES) * piece
    ? { unit: order, piece, wholeUnits: false }
    : { unit: piece, wholeUnits: true };
}

/** Share of the months with demand that brought one piece, or less, but for rounding; NaN without any. */
function singleShare(history: Float64Array, piece: number): number {
  const sizes = history.filter((value) => value > 0);
  return sizes.filter((size) => Math.round(size / piece) <= 1).length / sizes.length;
}

/** The size of the packs that demand comes in; undefined where it comes in single pieces, in no packs, or in too few to tell. */
function packOf(history: Float64Array): number | undefined {
  const sizes = history.filter((value) => value > 0);
  if (sizes.length < MIN_PACKS) return undefined;
  const step = commonStep(sizes);
  if (step === null) return undefined;
  const pack = step === 1 ? usualPack(sizes) : step;
  if (pack === undefined || pack < meanOfPositive(sizes) / MAX_PACKS) return undefined;
  return isNoChance(sizes, pack) ? pack : undefined;
}

/** The smallest order of pieces, more than one, that all but a few of them are multiples of: a return may leave 11 of 12. */
function usualPack(sizes: Float64Array): number | undefined {
  return sizes.toSorted().find((size) => size > 1 && oddOf(sizes, size) <= Math.max(1, MAX_ODD * sizes.length));
}

/**
 * Whether by chance so many orders agree on a pack as rarely as {@link MIN_PACK_SAMPLE} of them, in pieces, do on one of two. Halves are
 * packs of five tenths: what is measured comes in multiples of its last decimal.
 */
function isNoChance(sizes: Float64Array, pack: number): boolean {
  const odd = oddOf(sizes, pack);
  let evidence = (sizes.length - odd - 1) * Math.log2(pack / lastDecimal(pack));
  for (let i = 0; i < odd; i++) evidence -= Math.log2((sizes.length - i) / (i + 1)); // which ones are odd
  return evidence >= MIN_PACK_SAMPLE - 1 + (odd > 0 ? TRIED : 0);
}

/** The largest of 1, .1, .01 ... that a number is a multiple of, down to {@link FINEST}. */
function lastDecimal(value: number): number {
  let decimal = 1;
  while (decimal > FINEST && !isMultiple(value, decimal)) decimal /= 10;
  return decimal;
}

/** Number of orders that are no multiples of a pack. */
function oddOf(sizes: Float64Array, pack: number): number {
  return sizes.filter((size) => !isMultiple(size, pack)).length;
}
