/**
 * Chance that a series ends in a month. So small that only a silence which a living series would hardly keep tells: what usual
 * silence means is learnt from the workspace, and car parts come back. Their training cuts are indifferent up to .001; .003 and
 * .01 cost .1 and .3 % of WQL9.
 */
const HAZARD = 5e-4;
/** Share of its demand that an ended series keeps: it may be ordered again. */
const REVIVAL = 0.01;

/**
 * What is left to expect of a series after its silence: 1 of one that lives, {@link REVIVAL} of one that has ended, and between by
 * the probability that it has. In each month it may end for good; until then it has demand with an unknown chance, beta
 * distributed around the workspace's (Fader, Hardie & Shang, Marketing Science 29, 2010, with one {@link HAZARD} for all).
 *
 * A series that sold 40 a month and then nothing for two years was forecast to sell 122 in the next year where it had the
 * workspace for itself, and 37 among 33 others.
 */
export function obsolescenceFactor(demand: Float64Array, workspaceChance: number): number {
  const first = demand.findIndex((value) => value > 0);
  if (first < 0) return 1;
  const last = demand.findLastIndex((value) => value > 0);
  let sold = workspaceChance;
  let unsold = 1 - workspaceChance;
  for (let t = first; t <= last; t++) {
    if (demand[t]! > 0) sold++;
    else unsold++;
  }
  let aliveAndSilent = 1;
  let ended = 0;
  for (let t = last + 1; t < demand.length; t++) {
    ended += HAZARD * aliveAndSilent;
    aliveAndSilent *= ((1 - HAZARD) * unsold) / (sold + unsold);
    unsold++;
  }
  return (aliveAndSilent + REVIVAL * ended) / (aliveAndSilent + ended);
}
