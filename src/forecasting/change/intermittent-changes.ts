import type { DemandHistory } from '../types.js';
import { DemandSizes } from './demand-sizes.js';
import { levelShift, ShiftTotals, spikeOrDrop } from './messages.js';
import { OrderUnit } from './order-unit.js';
import { RISE, rareDemandEvidence } from './rare-demand-shifts.js';
import { SPIKE_SCORE } from './regular-changes.js';
import { ChangeOptions, DemandChange } from './types.js';

/** Observed months before the first finding. */
const WARM_UP = 24;
/** Months before a shift that its level is compared with, at most. */
const LONGEST_BASELINE = 36;

interface Month {
  readonly index: number;
  readonly demand: number;
}

/**
 * Level shifts and spikes of intermittent demand, by {@link LevelEvidence} of its counts in {@link OrderUnit}s; the decision
 * limit of `options` is that of regular demand. Spikes are demand sizes beyond 3.8 standard deviations of the logarithms of
 * earlier ones; a month without demand is never a drop.
 */
export function intermittentChanges(history: DemandHistory, options: ChangeOptions, unitFloor: number): DemandChange[] {
  const observed: Month[] = [];
  history.values.forEach((value, index) => {
    if (Number.isFinite(value)) observed.push({ index, demand: Math.max(value, 0) });
  });
  if (observed.length <= WARM_UP) return [];

  const sizes = new DemandSizes();
  const unit = new OrderUnit();
  for (const { demand } of observed.slice(0, WARM_UP)) {
    sizes.record(demand);
    unit.record(demand);
  }
  let evidence = rareDemandEvidence();
  for (const { demand } of observed.slice(0, WARM_UP)) evidence.record(unit.count(demand));

  const changes: DemandChange[] = [];
  /** Months in which a rise and a fall were last told. */
  const lastTold = [-Infinity, -Infinity];
  /** First observed month of the present level. */
  let from = 0;
  for (let at = WARM_UP; at < observed.length; at++) {
    const { index, demand } = observed[at]!;
    const typical = sizes.typical();
    if (sizes.score(demand) > SPIKE_SCORE && worthTelling(demand - typical, typical)) {
      changes.push(spikeOrDrop(history, index, demand, typical));
    }
    evidence.record(unit.count(demand));
    sizes.record(demand);
    unit.record(demand);

    const shifts = evidence.evidence();
    const told = shifts.findIndex(({ margin }, i) => margin > 0 && index - lastTold[i]! > options.coolDown);
    if (told < 0) continue;
    const start = at + 1 - shifts[told]!.months;
    const before = totals(observed.slice(Math.max(from, start - LONGEST_BASELINE), start));
    const after = totals(observed.slice(start, at + 1));
    const expected = (before.observed / before.months) * after.months;
    const size = after.observed - expected;
    if (!worthTelling(told === RISE ? size : -size, expected)) continue;
    changes.push(levelShift(history, observed[start]!.index, index, { ...after, expected }));
    lastTold[told] = index;
    from = start;
    // Months chosen for being far off would tell the new level wrongly.
    evidence = rareDemandEvidence();
  }
  return changes;

  function worthTelling(size: number, expected: number): boolean {
    return size > 0 && size >= Math.max(unitFloor, options.minimumChange * expected);
  }
}

function totals(months: readonly Month[]): Omit<ShiftTotals, 'expected'> {
  return { observed: months.reduce((sum, { demand }) => sum + demand, 0), months: months.length };
}
