import { sumOf } from '../numeric/sum.js';

/** A lead time of `whole` months plus the `fraction` (0 <= fraction < 1) of the next. */
export interface LeadTime {
  readonly whole: number;
  readonly fraction: number;
}

/** Splits a lead time in months. Throws RangeError naming `lead_time` unless 0 < months <= horizon. */
export function splitLeadTime(months: number, horizon: number): LeadTime {
  if (!(months > 0 && months <= horizon)) {
    throw new RangeError(`lead_time: expected more than 0 and at most ${horizon} months (the horizon), got ${months}`);
  }
  const whole = Math.floor(months);
  return { whole, fraction: months - whole };
}

/** The lead time, or the next longer one of whole months. */
export function toWholeMonths({ whole, fraction }: LeadTime): LeadTime {
  return { whole: whole + Math.ceil(fraction), fraction: 0 };
}

/** The lead times of whole months that are shorter, ascending. */
export function shorterLeadTimes(leadTime: LeadTime): LeadTime[] {
  return Array.from({ length: toWholeMonths(leadTime).whole - 1 }, (_, k) => ({ whole: k + 1, fraction: 0 }));
}

/** Sum of the first `whole` monthly values plus `fraction` of the next. */
export function sumOverLeadTime(values: ArrayLike<number>, leadTime: LeadTime): number {
  const sum = sumOf(values, 0, leadTime.whole);
  return leadTime.fraction > 0 ? sum + leadTime.fraction * values[leadTime.whole]! : sum;
}

/**
 * Between whole months a variance is interpolated linearly: variance(k + f) = (1 - f) variance(k) + f variance(k + 1), with
 * variance(0) = 0. Demand of different days within one month is thereby taken as independent; from month to month nothing is
 * assumed, because variance(k) is measured for every whole k.
 * @param variances of 1, 2, ... whole months, at least as many as the lead time or the next longer one has
 */
export function varianceOverLeadTime(variances: readonly number[], { whole, fraction }: LeadTime): number {
  const below = whole > 0 ? variances[whole - 1]! : 0;
  return fraction > 0 ? (1 - fraction) * below + fraction * variances[whole]! : below;
}
