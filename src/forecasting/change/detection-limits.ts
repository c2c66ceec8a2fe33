/** Observed months that the first estimates are made of; no finding earlier. */
export const WARM_UP = 24;

/**
 * Normal scores beyond this are spikes or drops. Three sigmas alone would give 3.2 % of unchanged series a finding every year
 * (3.8: .2 %), and level shifts are to stay under 2 % with them.
 */
export const SPIKE_SCORE = 3.8;
