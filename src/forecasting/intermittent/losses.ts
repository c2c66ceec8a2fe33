/** What the score of an additive model says of a response, as in a generalised linear model. */
export interface Loss {
  /** Response expected at a score. */
  expected(score: number): number;
  /** Derivative of the expectation by the score. */
  slope(expected: number): number;
  /** Variance of the response, up to a factor. */
  variance(expected: number): number;
}

/** Variance grows with the square of large means, so that a few large sellers do not decide for all. */
const OVERDISPERSION = 0.5;

/** Counts and their means by logarithm, variance mu (1 + mu / 2) (Wedderburn, Biometrika 61, 1974). */
export const QUASI_POISSON: Loss = {
  expected: (score) => Math.exp(score),
  slope: (expected) => expected,
  variance: (expected) => expected * (1 + OVERDISPERSION * expected),
};

/** Shares by log odds. */
export const BERNOULLI: Loss = {
  expected: (score) => 1 / (1 + Math.exp(-score)),
  slope: (expected) => expected * (1 - expected),
  variance: (expected) => expected * (1 - expected),
};
