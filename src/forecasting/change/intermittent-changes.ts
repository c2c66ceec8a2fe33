import type { DemandHistory } from '../types.js';
import { ALLOWANCE, LARGEST_SCORE } from './cusum.js';
import { DemandSizes } from './demand-sizes.js';
import { levelShift, spikeOrDrop } from './messages.js';
import { SPIKE_SCORE } from './regular-changes.js';
import { ShiftChart } from './shift-chart.js';
import { ChangeOptions, DemandChange } from './types.js';

/** Observed months before the first finding. */
const WARM_UP = 24;
/** Months before a shift that its level is compared with, at most. */
const LONGEST_BASELINE = 36;
/** Months that an observation waits before it counts for mean and dispersion: a shift must not widen what it is judged by. */
const DELAY = 6;
/** Evidence against "the mean of before holds", in standard errors of the difference, that an alarm must bring as well. Counts
 * are skewed: 4.9 rather than 3 keeps simulated false alarms under 2 % a series-year. */
const CONFIRMATION = 4.9;
/** Weight that an observation keeps from month to month in mean and dispersion (half after three years). */
const MEMORY = 0.98;
/** An observation counts at most this much for a shift, as on the chart of regular demand. */
const LARGEST_INCREMENT = LARGEST_SCORE - ALLOWANCE;

interface Totals {
  readonly sum: number;
  readonly months: number;
}

/**
 * Level shifts and spikes of intermittent demand by a count statistic: the log-likelihood ratio of another mean m' for a
 * Poisson count of mean m, divided by the dispersion D, in a CUSUM (Lucas, Technometrics 27, 1985):
 *
 *   (x ln(m'/m) - (m' - m)) / D,   m' = m + sigma upwards, m^2 / (m + sigma) downwards, sigma = sqrt(D m)
 *
 * - the shift of one sigma that k = .5 stands for on the chart of regular demand. Division by D (variance over mean, quasi-likelihood) makes it hold for lumpy demand and
 * for any unit. An alarm also has to be 4.9 standard errors from the mean of before, whose own error is in it: a baseline of
 * five orders is no certain baseline. Spikes are demand sizes beyond 3.8 standard deviations of the logarithms of earlier ones;
 * a month without demand is never a drop.
 */
export function intermittentChanges(history: DemandHistory, options: ChangeOptions, unitFloor: number): DemandChange[] {
  const { values } = history;
  const chart = new ShiftChart(options.decisionLimit, options.coolDown);
  const sizes = new DemandSizes();
  const changes: DemandChange[] = [];
  let observed = 0;
  /** First month of the present level. */
  let from = 0;
  let weight = 0;
  let sum = 0;
  let dispersionWeight = 0;
  let dispersionSum = 0;
  const pending: number[] = [];

  for (let t = 0; t < values.length; t++) {
    if (!Number.isFinite(values[t]!)) continue;
    const x = Math.max(values[t]!, 0);
    const mean = weight > 0 ? sum / weight : 0;
    const dispersion = dispersionSum / dispersionWeight;
    let alarm;
    if (observed >= WARM_UP) {
      const typical = sizes.typical();
      if (sizes.score(x) > SPIKE_SCORE && x - typical >= Math.max(unitFloor, options.minimumChange * typical)) {
        changes.push(spikeOrDrop(history, t, x, typical));
      }
      if (mean > 0 && dispersion > 0) {
        const raised = mean + Math.sqrt(dispersion * mean);
        const lowered = (mean * mean) / raised;
        const up = (x * Math.log(raised / mean) - (raised - mean)) / dispersion;
        const down = (x * Math.log(lowered / mean) - (lowered - mean)) / dispersion;
        alarm = chart.add(Math.min(up, LARGEST_INCREMENT), Math.min(down, LARGEST_INCREMENT), t);
      }
    }
    sizes.record(x);
    observed++;
    pending.push(x);
    if (pending.length > DELAY) learn(pending.shift()!);

    if (!alarm) continue;
    const before = totals(values, Math.max(from, alarm.start - LONGEST_BASELINE), alarm.start - 1);
    const after = totals(values, alarm.start, t);
    if (!isConfirmed(before, after, dispersion)) continue;
    const expected = (before.sum / before.months) * after.months;
    const size = Math.abs(after.sum - expected);
    if (size < unitFloor || size < options.minimumChange * expected) continue;
    changes.push(levelShift(history, alarm.start, t, { observed: after.sum, expected, months: after.months }));
    chart.told(alarm.direction, t);
    from = alarm.start;
    weight = after.months;
    sum = after.sum;
    pending.length = 0;
  }
  return changes;

  function learn(x: number): void {
    const mean = weight > 0 ? sum / weight : 0;
    if (mean > 0) {
      // The mean has an error of its own; n / (n + 1) takes it out of the squared deviation.
      dispersionSum = MEMORY * dispersionSum + (((x - mean) * (x - mean)) / mean) * (weight / (weight + 1));
      dispersionWeight = MEMORY * dispersionWeight + 1;
    }
    weight = MEMORY * weight + 1;
    sum = MEMORY * sum + x;
  }
}

/** Difference of two mean counts in standard errors under the mean of before (variance of a count D m), positive upwards. */
function isConfirmed(before: Totals, after: Totals, dispersion: number): boolean {
  if (before.months === 0) return false;
  const mean = before.sum / before.months;
  const error = Math.sqrt(dispersion * mean * (1 / before.months + 1 / after.months));
  return Math.abs(after.sum / after.months - mean) > CONFIRMATION * error;
}

function totals(values: Float64Array, first: number, last: number): Totals {
  let sum = 0;
  let months = 0;
  for (let t = first; t <= last; t++) {
    if (!Number.isFinite(values[t]!)) continue;
    sum += Math.max(values[t]!, 0);
    months++;
  }
  return { sum, months };
}
