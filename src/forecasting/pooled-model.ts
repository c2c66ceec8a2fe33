import type { CalendarPrior } from './calendar-regression/calendar-prior.js';
import type { BorrowedShapes } from './routing/short-histories/seasonal-shapes.js';
import type { ShortSpreads } from './routing/short-histories/short-spreads.js';
import type { PooledAutoregression } from './combination/pooled-autoregression.js';
import type { Calibration } from './combination/calibration.js';
import type { InfrequencyPrior } from './routing/infrequency.js';
import type { IntermittentModel } from './intermittent/intermittent-model.js';

/** What one forecast origin uses from the whole workspace; learned from months before that origin only. */
export interface OriginPool {
  readonly calendar: CalendarPrior;
  /** Null where the workspace has too few windows. */
  readonly autoregression: PooledAutoregression | null;
  /** Factors on the fixed weights of the combination's members, in the order of member-names.ts. */
  readonly gains: readonly number[];
  readonly calibration: Calibration;
  /** Horizon whose thirds the calibration belongs to, in months. */
  readonly calibrationMonths: number;
  readonly intermittent: IntermittentModel;
  readonly shapes: BorrowedShapes;
  /** Absent where no series has less than a year since its start or restart, and in what releases before 0.15.0 stored. */
  readonly shortSpreads?: ShortSpreads;
  /** Absent in what earlier versions stored. */
  readonly infrequency?: InfrequencyPrior;
}

/**
 * Everything that is learned over a workspace. Plain JSON: it is computed once per run, stored, and handed to every chunk, so
 * that a series' forecast does not depend on which thread computed it, nor together with which others. What earlier releases stored
 * is read by stored-model.ts.
 */
export interface PooledModel {
  /** `origins[w]` belongs to the origin `w * windowMonths` months before the end of each history. */
  readonly origins: readonly OriginPool[];
}
