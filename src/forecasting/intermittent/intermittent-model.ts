import type { AdditiveModel } from './additive-model.js';
import type { WorkspaceRates } from './rates.js';
import type { CountSeason } from './season/count-season.js';
import type { UnsoldSeries } from './unsold-series.js';

/**
 * Intermittent and lumpy demand over a whole workspace, months by their exposure: the discounted mean of a series, times a factor
 * that a boosted additive model has learned from such series; a second model gives the chance of demand in a month. The
 * distribution is negative binomial and flat over the horizon, but for the season; its dispersion is that of the series, moved
 * toward the one that the chance implies. Constants were chosen at cuts of 21 to 33 months of the car parts' training part. Plain
 * JSON, stored with the run: the names of its fields are a format.
 */
export interface IntermittentModel {
  readonly rates: WorkspaceRates;
  /** Null when there were too few histories to learn from. */
  readonly learnt: LearnedModels | null;
  /** Pooled variance to mean ratio. */
  readonly dispersion: number;
  /** Null when no history has two years. */
  readonly season: CountSeason | null;
}

/** What is learned from the histories of a workspace cut at earlier months. */
export interface LearnedModels {
  /** Logarithm of the factor on the discounted mean. */
  readonly mean: AdditiveModel;
  /** Log odds of demand in a month, over those of the workspace. */
  readonly chance: AdditiveModel;
  /** Of series without any demand so far; null where too few were met. */
  readonly unsold: UnsoldSeries | null;
}
