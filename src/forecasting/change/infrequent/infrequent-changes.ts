import type { DemandHistory } from '../../types.js';
import { CoolDown } from '../cool-down.js';
import { DemandSizes } from './demand-sizes.js';
import { SPIKE_SCORE, WARM_UP } from '../detection-limits.js';
import { levelShift, ShiftTotals, spikeOrDrop } from '../messages.js';
import { InfrequentDemandChart, InfrequentMonth } from './infrequent-demand-chart.js';
import { ChangeOptions, DemandChange } from '../types.js';
import { isMaterial } from '../materiality.js';

/** Months before a shift that its level is compared with, at most. */
const MAX_BASELINE = 36;

/**
 * Level shifts by {@link InfrequentDemandChart} and spikes of infrequent demand; the decision limit of `options` is that of regular
 * demand. Spikes are demand sizes beyond 3.8 standard deviations of the logarithms of earlier ones; a month without demand is
 * never a drop.
 */
export function infrequentChanges(history: DemandHistory, options: ChangeOptions): DemandChange[] {
  const observed = observedMonths(history.values);
  if (observed.length <= WARM_UP) return [];

  const sizes = new DemandSizes();
  const warmUp = observed.slice(0, WARM_UP);
  for (const { demand } of warmUp) sizes.record(demand);
  const chart = new InfrequentDemandChart(history.startMonth, warmUp);

  const changes: DemandChange[] = [];
  const coolDown = new CoolDown(options.coolDown);
  /** First observed month of the present level. */
  let from = 0;
  const totalsOf = (start: number, months: readonly InfrequentMonth[]): ShiftTotals =>
    shiftTotals(chart, observed.slice(Math.max(from, start - MAX_BASELINE), start), months);
  for (let at = WARM_UP; at < observed.length; at++) {
    const { index, demand } = observed[at]!;
    const typical = sizes.typical();
    if (sizes.score(demand) > SPIKE_SCORE && isMaterial(demand - typical, typical, options)) {
      changes.push(spikeOrDrop(history, index, demand, typical));
    }
    chart.record(observed[at]!);
    sizes.record(demand);

    const shift = chart
      .shifts()
      .filter(({ direction, margin }) => margin > 0 && coolDown.isOver(direction, index))
      .map(({ direction, months }) => ({ direction, start: at + 1 - months }))
      .map(({ direction, start }) => ({ direction, start, totals: totalsOf(start, observed.slice(start, at + 1)) }))
      .find(({ direction, totals }) =>
        isMaterial(direction * (totals.observed - totals.expected), totals.expected, options),
      );
    if (!shift) continue;
    const later = observed.slice(at + 1).map((month) => totalsOf(shift.start, [month]));
    changes.push(levelShift(history, { start: observed[shift.start]!.index, end: index }, shift.totals, later));
    coolDown.begin(shift.direction, index);
    from = shift.start;
    // The months of a shift were chosen for being far off: the new level is learned from those after them.
    chart.forget();
  }
  return changes;
}

function observedMonths(values: Float64Array): InfrequentMonth[] {
  const observed: InfrequentMonth[] = [];
  values.forEach((value, index) => {
    if (Number.isFinite(value)) observed.push({ index, demand: Math.max(value, 0) });
  });
  return observed;
}

/** The months `after` the start of a shift against what the level of those before it, times the season, makes of them. */
function shiftTotals(
  chart: InfrequentDemandChart,
  before: readonly InfrequentMonth[],
  after: readonly InfrequentMonth[],
): ShiftTotals {
  const factors = (months: readonly InfrequentMonth[]): number =>
    months.reduce((sum, { index }) => sum + chart.factor(index), 0);
  const level = total(before) / factors(before);
  return { observed: total(after), expected: level * factors(after), months: after.length };
}

function total(months: readonly InfrequentMonth[]): number {
  return months.reduce((sum, { demand }) => sum + demand, 0);
}
