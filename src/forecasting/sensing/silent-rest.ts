import { PRIOR_MONTHS } from './shrunk-profile.js';
import type { ShareCurve } from './share-curve.js';

/**
 * Probability that an item which sells has fallen silent in a month: sold out, delisted, ended. Of 84,900 months after twelve with more
 * than .3 of their mean (training parts of beer, prescriptions and livestock in docs/engine-accuracy.md), 53 were without demand, and
 * 25 of these were followed by another.
 */
const HAZARD = 5e-4;

/** What to expect of the rest of a month without demand so far. */
export interface SilentRest {
  /** Probability that none came for another reason than chance: then the silence is no evidence about the rate at which the item sells. */
  readonly notByChance: number;
  /** Probability that the item has fallen silent and stays so until the end of the month. */
  readonly nothing: number;
  /** Where it was not by chance, what is to be expected of the rest all the same, as a share of its usual demand. */
  readonly returning: number;
}

/** The rest of a month that has had demand, or is over. */
export const ALIVE: SilentRest = { notByChance: 0, nothing: 0, returning: 1 };

/**
 * The rest of a month without demand when `elapsed` (above 0) of it is over. Either that is by chance, of probability `chance` for an
 * item that sells as expected; or it is one of the months in which the item sells late, which are the share `late`; or the item has
 * fallen silent. A silence of u months lasts s more with probability u/(u + s) (Pareto's law: as long again in half of the cases), so
 * that it lasts until the end of the month with probability e = `elapsed`, and of the demand of the rest 1 + e ln e/(1 - e) is expected.
 */
export function silentRest(chance: number, late: number, elapsed: number): SilentRest {
  if (elapsed >= 1) return ALIVE;
  const prior = HAZARD + late;
  const silent = HAZARD / prior;
  const notByChance = prior / (prior + (1 - prior) * chance);
  return {
    notByChance,
    nothing: notByChance * silent * elapsed,
    returning: 1 + (silent * elapsed * Math.log(elapsed)) / (1 - elapsed),
  };
}

/**
 * Share of a series' months that had no demand in their first `days` days, shrunk toward none of them; 0 without daily history. The
 * first month does not count: the record, or the item, may begin in its middle.
 */
export function lateMonths(own: ShareCurve | undefined, days: number): number {
  const months = own?.months.slice(1) ?? [];
  return months.filter(({ firstDay }) => firstDay >= days).length / (months.length + PRIOR_MONTHS);
}
