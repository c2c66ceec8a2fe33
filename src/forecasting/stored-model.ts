import type { CalendarPrior } from './calendar-regression/calendar-prior.js';
import { NO_GAINS } from './combination/weights.js';
import type { IntermittentModel, LearnedModels } from './intermittent/intermittent-model.js';
import { LOADINGS, STRENGTHS } from './intermittent/season/season-strength.js';
import type { OriginPool, PooledModel } from './pooled-model.js';
import type { ShortSpreads } from './routing/short-histories/short-spreads.js';

/** What earlier releases stored, of which some left out `Since`. */
type Stored<T, Since extends keyof T> = Omit<T, Since> & Partial<Pick<T, Since>>;

interface StoredIntermittent extends Stored<Omit<IntermittentModel, 'learnt'>, 'season'> {
  readonly learnt?: Stored<LearnedModels, 'unsold'> | null;
}

interface StoredSpreads extends Stored<ShortSpreads, 'levelWeight'> {
  /** In place of the one weight in what releases up to 0.25.0 stored: that under six months, which was 0, and the one learned. */
  readonly levelWeights?: readonly number[];
}

interface StoredOrigin extends Stored<
  Omit<OriginPool, 'calendar' | 'gains' | 'intermittent' | 'shortSpreads'>,
  'autoregression'
> {
  readonly calendar: Stored<CalendarPrior, 'months'>;
  /** Null before 0.8.0 where they were no numbers; without the last member before 0.20.0. */
  readonly gains: readonly (number | null)[];
  readonly intermittent: StoredIntermittent;
  readonly shortSpreads?: StoredSpreads;
}

/** A pooled model as a run of this release or an earlier one stored it. */
export interface StoredModel {
  readonly origins: readonly StoredOrigin[];
}

/** A stored pooled model in the form of this release: what an earlier one did not learn counts as not learned. */
export function restoreModel({ origins }: StoredModel): PooledModel {
  return { origins: origins.map(restoreOrigin) };
}

function restoreOrigin(stored: StoredOrigin): OriginPool {
  const { calendar, gains, intermittent, autoregression = null, shortSpreads, ...others } = stored;
  const { learnt = null, season = null } = intermittent;
  return {
    ...others,
    autoregression,
    calendar: { ...calendar, months: calendar.months ?? 0 },
    gains: gains.includes(null) ? NO_GAINS : NO_GAINS.map((none, m) => gains[m] ?? none),
    intermittent: {
      ...intermittent,
      learnt: learnt && { ...learnt, unsold: learnt.unsold ?? null },
      // the first loading was the last share
      season: season && { ...season, shares: [...STRENGTHS, ...LOADINGS].map((_, i) => season.shares[i] ?? 0) },
    },
    ...(shortSpreads && { shortSpreads: restoreSpreads(shortSpreads) }),
  };
}

function restoreSpreads({
  levelWeights,
  levelWeight = levelWeights?.[1] ?? 0,
  ...others
}: StoredSpreads): ShortSpreads {
  return { ...others, levelWeight };
}
