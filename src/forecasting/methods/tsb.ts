import { sumOf } from '../../numeric/sum.js';
import { rateForecaster } from './rate-forecaster.js';

/** Pairs tried by in-sample squared error: sizes change slowly, the chance of demand may fall fast. */
const SIZE_ALPHAS = [0.05, 0.1, 0.2];
const CHANCE_ALPHAS = [0.02, 0.05, 0.1, 0.2, 0.3];

/**
 * Teunter-Syntetos-Babai method (European Journal of Operational Research 214, 2011): smoothed chance of demand, updated
 * every month, times smoothed size, so that the rate decays when demand stops. Starts from the means of the history.
 */
function tsbRate(demand: Float64Array): number {
  const sizes = demand.filter((value) => value !== 0);
  const meanSize = sumOf(sizes) / sizes.length;
  let best = Infinity;
  let rate = 0;
  for (const sizeAlpha of SIZE_ALPHAS) {
    for (const chanceAlpha of CHANCE_ALPHAS) {
      let chance = sizes.length / demand.length;
      let size = meanSize;
      let squares = 0;
      for (const value of demand) {
        squares += (value - chance * size) ** 2;
        if (value === 0) {
          chance -= chanceAlpha * chance;
        } else {
          chance += chanceAlpha * (1 - chance);
          size += sizeAlpha * (value - size);
        }
      }
      if (squares < best) {
        best = squares;
        rate = chance * size;
      }
    }
  }
  return rate;
}

/** TSB as a forecaster, see {@link tsbRate}. */
export const tsb = rateForecaster(tsbRate);
