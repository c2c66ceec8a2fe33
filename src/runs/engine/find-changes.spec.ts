import { describe, expect, it } from '@jest/globals';
import { findChanges } from './find-changes.js';

const START = 24_000;
/** Months before the change. */
const BEFORE = 60;

/** The findings `months` after the change, the month of which is the first: demand of 500 turns into what `after` says. */
function found(
  months: number,
  after: (month: number) => number,
  { workspaceMonth = START + BEFORE + months - 1, important = false } = {},
) {
  const level = (t: number): number => (t < BEFORE ? 500 : after(t - BEFORE)) + 10 * (t % 3);
  const values = Float64Array.from({ length: BEFORE + months }, (_, t) => level(t));
  const findings = findChanges({ id: 'a', startMonth: START, values }, workspaceMonth, important)!;
  return { ...findings, reported: findings.changes.map(({ kind }) => kind) };
}

const fallen = (): number => 300;
const oneSpike = (month: number): number => (month === 0 ? 1_500 : 500);

describe('the changes of a series', () => {
  it('include a level shift for a year, which can explain a trend for longer', () => {
    const shifts = [{ kind: 'level_shift_down', month: START + BEFORE }];
    expect(found(14, fallen)).toMatchObject({ reported: ['level_shift_down'], shifts });
    expect(found(15, fallen)).toMatchObject({ reported: [], shifts });
  });

  it('include a spike for three months, and never as a shift', () => {
    expect(found(1, oneSpike)).toMatchObject({ reported: ['spike'], shifts: [], latestMonth: START + BEFORE });
    expect(found(3, oneSpike)).toMatchObject({ reported: ['spike'], shifts: [], latestMonth: START + BEFORE + 2 });
    expect(found(4, oneSpike).reported).toEqual([]);
  });

  it('age with the workspace where the data of the series end earlier, and with the series where they end later', () => {
    expect(found(1, oneSpike, { workspaceMonth: START + BEFORE + 2 }).reported).toEqual(['spike']);
    expect(found(1, oneSpike, { workspaceMonth: START + BEFORE + 3 }).reported).toEqual([]);
    expect(found(4, oneSpike, { workspaceMonth: START + BEFORE }).reported).toEqual([]);
  });

  it('include a level shift sooner if the series is important', () => {
    expect(found(2, fallen).reported).toEqual(['drop', 'drop']);
    expect(found(2, fallen, { important: true }).reported).toEqual(['level_shift_down']);
  });

  it('are unknown without observations', () => {
    expect(findChanges({ id: 'a', startMonth: START, values: new Float64Array(0) }, START, false)).toBeUndefined();
  });
});
