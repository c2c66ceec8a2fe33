import { sumOf } from '../../../numeric/sum.js';
import { calendarMonth } from '../../calendar.js';
import { SEASON } from '../../types.js';
import { forEachMonth, type SeasonEvidence, withMeanOne } from './month-sums.js';

/** Added to demand and level of a month of the workspace, so that their ratio has a logarithm. */
const HALF_ORDER = 0.5;
/** Level at which a month of the workspace counts half: below, its ratio is noise. */
const THIN_LEVEL = 5;
/** Variance of the logarithm of a month's ratio around its season before any is seen, and the months that it counts as. */
const USUAL_VARIANCE = 0.02;
const USUAL_MONTHS = 12;
/**
 * How many times the variance of the noise is taken off. Months of a workspace share shocks, so that a season of two or three
 * years is more uncertain than its residuals show.
 */
const CAUTION = 2;

/** One month of the workspace: logarithm of its demand over what it would be without a season. */
interface WorkspaceMonth {
  readonly calendarMonth: number;
  readonly logRatio: number;
  readonly weight: number;
}

/**
 * Season that the series of a workspace have in common, each counting by its share: factors by calendar month, January first, mean
 * 1. Logarithms of the workspace's ratios are averaged over the years and drawn to zero by positive-part James-Stein shrinkage, in
 * which the noise is what one year differs from the other: more series do not make the shocks of a month smaller. All 1 where that
 * is all there is.
 */
export function commonSeason(evidence: readonly SeasonEvidence[], shares: readonly number[]): number[] {
  const months = workspaceMonths(evidence, shares);
  const sums = new Float64Array(SEASON);
  const weights = new Float64Array(SEASON);
  for (const month of months) {
    sums[month.calendarMonth]! += month.weight * month.logRatio;
    weights[month.calendarMonth]! += month.weight;
  }
  const offset = sumOf(sums) / Math.max(sumOf(weights), Number.MIN_VALUE);
  const effects = sums.map((sum, m) => (weights[m]! > 0 ? sum / weights[m]! - offset : 0));
  let squares = USUAL_MONTHS * USUAL_VARIANCE;
  let weight = 0;
  for (const month of months) {
    squares += month.weight * (month.logRatio - offset - effects[month.calendarMonth]!) ** 2;
    weight += month.weight;
  }
  // less the degrees of freedom of the twelve means
  const free = months.length > SEASON ? weight * (1 - SEASON / months.length) : 0;
  const variance = squares / (free + USUAL_MONTHS);
  let noise = 0;
  let signal = 0;
  for (let m = 0; m < SEASON; m++) {
    if (weights[m] === 0) continue;
    noise += (variance * (SEASON - 1)) / SEASON / weights[m]!;
    signal += effects[m]! ** 2;
  }
  const kept = signal > CAUTION * noise ? 1 - (CAUTION * noise) / signal : 0;
  return Array.from(withMeanOne(effects.map((effect) => Math.exp(kept * effect))));
}

function workspaceMonths(evidence: readonly SeasonEvidence[], shares: readonly number[]): WorkspaceMonth[] {
  const sums = new Map<number, { demand: number; level: number }>();
  evidence.forEach(({ series: { counts, startMonth }, weight: own }, i) => {
    const weight = shares[i]! * own;
    forEachMonth(counts, (t, mean) => {
      const sum = sums.get(startMonth + t) ?? { demand: 0, level: 0 };
      sum.demand += weight * counts[t]!;
      sum.level += weight * mean;
      sums.set(startMonth + t, sum);
    });
  });
  return Array.from(sums, ([month, { demand, level }]) => ({
    calendarMonth: calendarMonth(month),
    logRatio: Math.log((demand + HALF_ORDER) / (level + HALF_ORDER)),
    weight: level / (level + THIN_LEVEL),
  }));
}
