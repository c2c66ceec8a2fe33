import type { DemandHistory } from '../types.js';
import { CountBaseline } from './count-baseline.js';
import { DemandSizes } from './demand-sizes.js';
import { levelShift, ShiftTotals, spikeOrDrop } from './messages.js';
import { SPIKE_SCORE } from './regular-changes.js';
import { ShiftChart } from './shift-chart.js';
import { ChangeOptions, DemandChange } from './types.js';

/** Observed months before the first finding. */
const WARM_UP = 24;
/** Months before a shift that its level is compared with, at most. */
const LONGEST_BASELINE = 36;
/**
 * Decision limit at least, whatever is asked for: a chart whose mean and dispersion are estimated from a few orders alarms more
 * often than one that knows them. Chosen for 2 % false alarms a series-year on simulated series of other seeds than the
 * benchmark's, like the size of the shift.
 */
const SMALLEST_LIMIT = 5.3;

/**
 * Level shifts and spikes of intermittent demand by a CUSUM of log-likelihood ratios (Lucas, Technometrics 27, 1985; Hawkins &
 * Olwell, Cumulative Sum Charts, 1998) of negative binomial counts with one dispersion and two means, see {@link CountBaseline}.
 * Spikes are demand sizes beyond 3.8 standard deviations of the logarithms of earlier ones; a month without demand is never a
 * drop.
 */
export function intermittentChanges(history: DemandHistory, options: ChangeOptions, unitFloor: number): DemandChange[] {
  const { values } = history;
  const chart = new ShiftChart(Math.max(options.decisionLimit, SMALLEST_LIMIT), options.coolDown);
  const sizes = new DemandSizes();
  const baseline = new CountBaseline();
  const changes: DemandChange[] = [];
  let observed = 0;
  /** First month of the present level. */
  let from = 0;

  for (let t = 0; t < values.length; t++) {
    if (!Number.isFinite(values[t]!)) continue;
    const x = Math.max(values[t]!, 0);
    let alarm;
    if (observed >= WARM_UP) {
      const typical = sizes.typical();
      if (sizes.score(x) > SPIKE_SCORE && x - typical >= Math.max(unitFloor, options.minimumChange * typical)) {
        changes.push(spikeOrDrop(history, t, x, typical));
      }
      const { up, down } = baseline.logLikelihoodRatios(x);
      alarm = chart.add(up, down, t);
    }
    sizes.record(x);
    observed++;
    baseline.record(x);
    if (!alarm) continue;

    const before = totals(values, Math.max(from, alarm.start - LONGEST_BASELINE), alarm.start - 1);
    const after = totals(values, alarm.start, t);
    if (before.months === 0) continue;
    const expected = (before.observed / before.months) * after.months;
    const size = Math.abs(after.observed - expected);
    if (size < unitFloor || size < options.minimumChange * expected) continue;
    changes.push(levelShift(history, alarm.start, t, { ...after, expected }));
    chart.told(alarm.direction, t);
    from = alarm.start;
    baseline.moveTo(after.observed, after.months);
  }
  return changes;
}

function totals(values: Float64Array, first: number, last: number): Omit<ShiftTotals, 'expected'> {
  let observed = 0;
  let months = 0;
  for (let t = first; t <= last; t++) {
    if (!Number.isFinite(values[t]!)) continue;
    observed += Math.max(values[t]!, 0);
    months++;
  }
  return { observed, months };
}
