import type { MonthNumber } from '../../types.js';
import { ShiftLikelihoodRatio, ShiftEvidence } from './shift-likelihood-ratio.js';
import { OrderUnit } from './order-unit.js';
import { INFREQUENT_DEMAND } from './infrequent-hypotheses.js';
import { InfrequentSeason } from './infrequent-season.js';

/** Factor by which the unit must grow or shrink before all months are counted anew in it. */
const UNIT_CHANGE = 1.3;
/** Months after which demand is counted anew by the season as it is known by then. */
const SEASON_AGE = 12;
/** Months that are counted anew at most; earlier ones would hardly change what is known of the level. */
const MAX_REPLAY = 120;
/** Prior probability that infrequent demand has a season (Bayesian model averaging: Hoeting et al., Statistical Science 14, 1999). */
const SEASONAL = 0.3;

/** What parts of a unit may be off by, as a share: a pack is known to some six digits. */
const ROUNDING_ERROR = 1e-6;

/** Demand (>= 0) of a month. */
export interface InfrequentMonth {
  /** Months since the first one of the history. */
  readonly index: number;
  readonly demand: number;
}

/**
 * Evidence for shifts of infrequent demand, month by month. All months are counted in one {@link OrderUnit}: where an odd
 * order makes another unit, they are counted anew, since the same orders in smaller units would be taken for a rise. They are
 * counted anew once a year too, each against the season that the other months have shown by then: the first years were judged by
 * a season hardly known, and would leave demand for more erratic than it is.
 */
export class InfrequentDemandChart {
  private readonly orderUnit = new OrderUnit();
  private readonly season: InfrequentSeason;
  /** Prior probability that demand has a season, for the months of the present level. */
  private seasonal = SEASONAL;
  private evidence = new ShiftLikelihoodRatio(INFREQUENT_DEMAND, SEASONAL);
  /** Unit that the months of the present level are counted in. */
  private unit: number;
  /** The latest months of the present level. */
  private months: InfrequentMonth[] = [];
  /** Months since all were counted anew. */
  private age = 0;

  /** @param warmUp the first months, all counted in the unit that they make */
  constructor(startMonth: MonthNumber, warmUp: readonly InfrequentMonth[]) {
    this.season = new InfrequentSeason(startMonth);
    for (const { demand } of warmUp) this.orderUnit.record(demand);
    this.unit = this.orderUnit.size();
    for (const month of warmUp) {
      this.count(month);
      this.season.record(month.index, month.demand);
    }
  }

  /** Adds a month, counted in the unit that the months before it make. */
  record(month: InfrequentMonth): void {
    const unit = this.orderUnit.size();
    if (++this.age >= SEASON_AGE || unit * UNIT_CHANGE < this.unit || unit > this.unit * UNIT_CHANGE) {
      const { months } = this;
      this.restart();
      for (const earlier of months) this.count(earlier);
    }
    this.count(month);
    this.season.record(month.index, month.demand);
    this.orderUnit.record(month.demand);
  }

  /** Evidence of the months so far for a rise and for a fall. */
  shifts(): ShiftEvidence[] {
    return this.evidence.evidence();
  }

  /** Seasonal factor of month `index`, averaged over having a season and having none by their probabilities. */
  factor(index: number): number {
    return 1 + this.evidence.seasonal() * (this.season.factor(index, this.unit) - 1);
  }

  /** Starts a level of which nothing is known yet but its season, counted in the unit that all months so far make. */
  forget(): void {
    this.seasonal = Math.max(this.evidence.seasonal(), SEASONAL);
    this.restart();
  }

  private restart(): void {
    this.evidence = new ShiftLikelihoodRatio(INFREQUENT_DEMAND, this.seasonal);
    this.unit = this.orderUnit.size();
    this.months = [];
    this.age = 0;
  }

  private count(month: InfrequentMonth): void {
    this.evidence.record(inUnits(month.demand, this.unit), this.season.factor(month.index, this.unit));
    this.months.push(month);
    if (this.months.length > MAX_REPLAY) this.months.shift();
  }
}

/** Demand in whole units, halves rounded up: also three tenths in units of two, which are 1.4999999999999998 of them. */
function inUnits(demand: number, unit: number): number {
  return Math.round((demand / unit) * (1 + ROUNDING_ERROR));
}
