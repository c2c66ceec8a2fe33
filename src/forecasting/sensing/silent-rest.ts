/**
 * Probability that an item which sells has fallen silent in a month: sold out, delisted, ended. Of 84,900 months after twelve with more
 * than .3 of their mean (training parts of beer, prescriptions and livestock in docs/engine.md), 53 were without demand, and 25 of
 * these were followed by another.
 */
const HAZARD = 5e-4;

/** What a silence so far makes of the rest of the month. */
export interface SilentRest {
  /** Probability that the silence lasts until the end of the month. */
  readonly nothing: number;
  /** Expected demand of the rest, as a share of that of an item that is not silent. */
  readonly factor: number;
}

/** The rest of a month that has had demand. */
export const ALIVE: SilentRest = { nothing: 0, factor: 1 };

/**
 * What is to come of a month without demand when `elapsed` (above 0) of it is over, where an item that sells as expected would have
 * had none with probability `chance`. Either it was chance, or the item has fallen silent. A silence of u months lasts s more with
 * probability u/(u + s) (Pareto's law: as long again in half of the cases), so that it lasts until the end of the month with
 * probability e = `elapsed`, and of the demand of the rest 1 + e ln e/(1 - e) is expected.
 */
export function silentRest(chance: number, elapsed: number): SilentRest {
  if (elapsed >= 1) return ALIVE;
  const silent = HAZARD / (HAZARD + (1 - HAZARD) * chance);
  return { nothing: silent * elapsed, factor: 1 + (silent * elapsed * Math.log(elapsed)) / (1 - elapsed) };
}
