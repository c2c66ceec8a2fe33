/**
 * Seeded uniform numbers in [0, 1) by mulberry32 (Tommy Ettinger's 32-bit generator): small, fast and the same on every
 * machine. Good enough for simulation, not for secrets.
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
