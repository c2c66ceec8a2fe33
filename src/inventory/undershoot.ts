import type { OrderSizes } from './order-sizes.js';
import type { LeadTimeDemand, Undershoot } from './types.js';

const YEAR = 12;

/**
 * How far the demand of a day takes stock below the reorder point before an order is placed: stationary excess of the sizes X of days with
 * demand, with mean (E X²/E X − p)/2 and second moment E X(X−p)(2X−p)/(6 E X) (Tijms, A First Course in Stochastic Models, 2003, 2.1.2;
 * for pieces by sums in place of integrals). It assumes that stock is reviewed after each day, and replenished in whole pieces.
 * @param piece size p of the pieces or packs that demand comes in, in the unit of the series; 0 where it comes in none
 */
export function undershootOf({ mean, meanSquare, meanCube }: OrderSizes, piece: number): Undershoot {
  const expected = Math.max(0, (meanSquare / mean - piece) / 2);
  const square = (2 * meanCube - 3 * piece * meanSquare + piece * piece * mean) / (6 * mean);
  return { mean: expected, sigma: Math.sqrt(Math.max(0, square - expected * expected)), dayDemand: mean };
}

/**
 * The undershoot where less demand is expected than a day brings of it in a year: as likely as such a day within the year. Without this,
 * an item that is no longer sold, or not in this season, would hold the stock of an order for good.
 * @param demand mean of a lead time, in the same unit
 * @param months of the lead time
 */
export function likelyUndershoot(
  { mean, sigma, dayDemand }: Undershoot,
  demand: number,
  months: number,
): LeadTimeDemand {
  const chance = Math.min(1, (YEAR * demand) / (months * dayDemand));
  const square = chance * (mean * mean + sigma * sigma);
  return { mean: chance * mean, sigma: Math.sqrt(Math.max(0, square - (chance * mean) ** 2)) };
}
