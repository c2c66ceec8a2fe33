import { logGamma } from '../../numeric/gamma.js';
import { MAX_CHANCE } from './demand-chance.js';
import type { ExposedDemand } from './exposed-demand.js';

/**
 * Probability that a series ends in a month. It is small on purpose: only a silence that a living series would hardly keep counts
 * as its end, and what usual silences mean is left to what the workspace teaches, since car parts come back. Their training cuts
 * are indifferent up to .001; .003 and .01 cost .1 and .3 % of WQL9.
 */
const HAZARD = 5e-4;
/** Share of its demand that an ended series keeps: it may be ordered again. */
const REVIVAL = 0.01;

/**
 * Factor on the expected demand of a series for the months that have passed without demand since its last one: 1 while it is sure
 * to live, {@link REVIVAL} once it is sure to have ended, and between by the probability that it has ended. In each month a series
 * may end for good, with probability {@link HAZARD}; until then it has demand with an unknown probability, beta distributed around
 * the workspace's `chance` (Fader, Hardie & Shang, Marketing Science 29, 2010, with one hazard for all series). A month of exposure f
 * stays without it as often as f months do.
 *
 * Without it a series that sold 40 a month and then nothing for two years was forecast to sell 122 in the next year where it had
 * the workspace for itself, and 37 among 33 others.
 */
export function obsolescenceFactor({ demand, exposure }: ExposedDemand, workspaceChance: number): number {
  const first = demand.findIndex((value) => value > 0);
  if (first < 0) return 1;
  const last = demand.findLastIndex((value) => value > 0);
  // where all others sell in every month, a silent or missing month has a probability still
  let sold = Math.min(MAX_CHANCE, workspaceChance);
  let unsold = 1 - sold;
  for (let t = first; t <= last; t++) {
    if (demand[t]! > 0) sold++;
    else unsold += exposure[t]!;
  }
  let aliveAndSilent = 1;
  let ended = 0;
  for (let t = last + 1; t < demand.length; t++) {
    ended += HAZARD * aliveAndSilent;
    aliveAndSilent *= (1 - HAZARD) * silence(exposure[t]!, sold, unsold);
    unsold += exposure[t]!;
  }
  return (aliveAndSilent + REVIVAL * ended) / (aliveAndSilent + ended);
}

/** Mean of (1 - p)^exposure where p is beta distributed. */
function silence(exposure: number, sold: number, unsold: number): number {
  if (exposure === 1) return unsold / (sold + unsold);
  return Math.exp(
    logGamma(unsold + exposure) + logGamma(sold + unsold) - logGamma(unsold) - logGamma(sold + unsold + exposure),
  );
}
