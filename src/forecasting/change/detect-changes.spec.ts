import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../../numeric/normal.js';
import { createRandom } from '../../numeric/random.js';
import type { DemandHistory } from '../types.js';
import {
  DEFAULT_CHANGE_OPTIONS,
  type DemandChange,
  detectChanges,
  IMPORTANT_CHANGE_OPTIONS,
  isLevelShift,
} from './index.js';

const START = 24_240;

/** Demand of about 1,000 over `months` months, with a season of a fifth and noise of a tenth. */
function demand(
  months: number,
  change: (t: number, value: number) => number = (_, value) => value,
  seed = 3,
): DemandHistory {
  const random = createRandom(seed);
  const values = Float64Array.from({ length: months }, (_, t) => {
    const expected = 1000 * (1 + 0.2 * Math.sin((2 * Math.PI * t) / 12));
    return Math.round(change(t, expected * (1 + 0.1 * normalQuantile(0.001 + 0.998 * random()))));
  });
  return { id: 'a', startMonth: START, values };
}

/** Demand of 1,000 times `factor`, with noise of a twentieth. */
function steadily(months: number, factor: (t: number) => number, seed: number): DemandHistory {
  const random = createRandom(seed);
  const values = Float64Array.from({ length: months }, (_, t) =>
    Math.round(1000 * factor(t) * (1 + 0.05 * normalQuantile(0.001 + 0.998 * random()))),
  );
  return { id: 'c', startMonth: START, values };
}

/** Orders of one to four pieces in about three months of ten. */
function orders(months: number, probability: (t: number) => number, seed = 11): DemandHistory {
  const random = createRandom(seed);
  const values = Float64Array.from({ length: months }, (_, t) =>
    random() < probability(t) ? 1 + Math.floor(4 * random()) : 0,
  );
  return { id: 'b', startMonth: START, values };
}

/** Later months change of a level that they have left that it is over, and the wording. */
const findings = (changes: readonly DemandChange[]) =>
  changes.map((change) => ({ ...change, message: '', isOver: undefined }));

describe('detectChanges', () => {
  it('finds a rise of 40 %, with its start and size', () => {
    const changes = detectChanges(demand(72, (t, value) => (t >= 48 ? 1.4 * value : value)));
    const shift = changes.find((change) => change.kind === 'level_shift_up');
    expect(shift).toMatchObject({ severity: 'medium' });
    expect(Math.abs(shift!.month - (START + 48))).toBeLessThanOrEqual(1);
    expect(shift!.detectedMonth - START).toBeLessThan(48 + 6);
    expect(shift!.changePercent).toBeGreaterThan(25);
    expect(shift!.changePercent).toBeLessThan(55);
    expect(shift!.message).toMatch(
      /^Demand has been \d+(\.\d+)? % higher than expected since [A-Z][a-z]+ 20\d\d: [\d,]+ a month over the first \d months against [\d,]+\.$/,
    );
    expect(changes.filter((change) => change.kind === 'level_shift_up')).toHaveLength(1);
  });

  it('finds a fall by half', () => {
    const changes = detectChanges(demand(72, (t, value) => (t >= 50 ? 0.5 * value : value)));
    expect(changes.filter((change) => change.kind.startsWith('level'))).toEqual([
      expect.objectContaining({ kind: 'level_shift_down', severity: 'medium' }),
    ]);
  });

  it('dates a fall by its own months, not by ordinary ones before it', () => {
    const random = createRandom(2);
    const before = Array.from({ length: 56 }, () => Math.round(194 + 12 * random()));
    const changes = detectChanges({ id: 'a', startMonth: START, values: Float64Array.of(...before, 191, 192, 80, 85) });
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'level_shift_down', month: START + 58 }));
  });

  it('classifies one month of double demand as a spike, not a level shift', () => {
    const changes = detectChanges(demand(72, (t, value) => (t === 60 ? 2 * value : value)));
    expect(changes).toEqual([expect.objectContaining({ kind: 'spike', month: START + 60, detectedMonth: START + 60 })]);
    expect(changes[0]!.message).toMatch(/% above the [\d,]+ expected/);
  });

  it('reports a steep rise once, not also as single months', () => {
    const changes = detectChanges(demand(72, (t, value) => (t >= 66 ? 2.4 * value : value)));
    expect(changes.map(({ kind }) => kind)).toEqual(['level_shift_up']);
  });

  it('reports a steep fall and the month that revealed it, but not the months after', () => {
    const changes = detectChanges(demand(72, (t, value) => (t >= 66 ? 0.2 * value : value)));
    expect(changes.map(({ kind, month }) => [kind, month - START])).toEqual([
      ['drop', 66],
      ['level_shift_down', expect.any(Number)],
    ]);
  });

  it('names the unit, groups thousands and rounds pieces to integers', () => {
    const history = { ...demand(72, (t, value) => (t === 60 ? 3 * value : value)), unit: 'pieces' };
    expect(detectChanges(history)[0]!.message).toMatch(
      /^Demand in January 2025 was \d,\d{3} pieces, \d+ % above the (\d,)?\d{3} expected\.$/,
    );
  });

  it('classifies one month of low demand as a drop', () => {
    const changes = detectChanges(demand(72, (t, value) => (t === 60 ? 0.2 * value : value)));
    expect(changes).toEqual([expect.objectContaining({ kind: 'drop', severity: 'high', month: START + 60 })]);
  });

  it('marks a second month that stands out as the first did', () => {
    const told = (first: number, second: number): unknown[] =>
      detectChanges(demand(62, (t, value) => (t === 60 ? first : t === 61 ? second : 1) * value, 2)).map(
        ({ kind, continuesFormer }) => [kind, continuesFormer],
      );
    expect(told(2.5, 2.6)).toEqual([
      ['spike', undefined],
      ['spike', true],
    ]);
    expect(told(0.4, 0.35)).toEqual([
      ['drop', undefined],
      ['drop', true],
    ]);
    for (const [first, second] of [
      [2, 6],
      [6, 2],
    ] as const) {
      expect(told(first, second)).toEqual([
        ['spike', undefined],
        ['spike', undefined],
      ]);
    }
  });

  it('ignores seasons, noise and changes below 15 %', () => {
    expect(detectChanges(demand(96))).toEqual([]);
    const small = detectChanges(demand(96, (t, value) => (t >= 60 ? 1.08 * value : value)));
    expect(small.filter((change) => change.kind.startsWith('level'))).toEqual([]);
  });

  it('mistakes demand that wanders for a new level in every other series at most', () => {
    const wandering = Array.from({ length: 60 }, (_, seed) => {
      const random = createRandom(seed + 1);
      let away = 0;
      const values = Float64Array.from({ length: 84 }, () => {
        away = 0.5 * away + 0.08 * normalQuantile(0.001 + 0.998 * random());
        return Math.round(1000 * (1 + away));
      });
      return detectChanges({ id: 'a', startMonth: START, values });
    });
    expect(wandering.filter((changes) => changes.some(({ kind }) => kind.startsWith('level'))).length).toBeLessThan(30);
  });

  it('finds the same changes up to a month whatever follows it', () => {
    const history = demand(90, (t, value) => (t >= 48 && t < 70 ? 1.5 * value : value));
    const all = detectChanges(history);
    for (let end = 49; end < 90; end++) {
      const then = detectChanges({ ...history, values: history.values.slice(0, end) });
      expect(findings(then)).toEqual(findings(all.filter((change) => change.detectedMonth < START + end)));
    }
    expect(all.map((change) => change.kind)).toEqual(expect.arrayContaining(['level_shift_up', 'level_shift_down']));
  });

  it('judges each month of orders by the months before it, even when frequent demand becomes infrequent', () => {
    const history = orders(96, (t) => (t < 40 ? 0.95 : t < 70 ? 0.2 : 0.9));
    const all = detectChanges(history);
    expect(all.map((change) => change.kind)).toEqual(expect.arrayContaining(['level_shift_down', 'level_shift_up']));
    for (let end = 41; end < 96; end += 3) {
      const then = detectChanges({ ...history, values: history.values.slice(0, end) });
      expect(findings(then)).toEqual(findings(all.filter((change) => change.detectedMonth < START + end)));
    }
    expect(all.find(({ changePercent }) => changePercent === -100)?.message).toMatch(
      /^There was no demand from May 2023 to /,
    );
  });

  it('reports no shift for steady growth, whatever the noise grows by', () => {
    const shifts = Array.from({ length: 20 }, (_, seed) =>
      detectChanges(demand(96, (t, value) => value * Math.exp(0.008 * t), seed)),
    ).flat();
    expect(shifts.filter((change) => change.kind.startsWith('level')).length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['rise', 1.3, 1.5],
    ['fall', 1.3, 0.7],
    ['rise', 0.7, 1.5],
    ['fall', 0.7, 0.7],
  ] as const)('finds a %s of demand that goes to %d times itself every year and varies little', (_, yearly, factor) => {
    const found = Array.from({ length: 20 }, (__, seed) =>
      detectChanges(steadily(72, (t) => yearly ** (t / 12) * (t >= 60 ? factor : 1), seed + 1)).filter(isLevelShift),
    );
    const once = found.filter((shifts) => shifts.length === 1 && Math.abs(shifts[0]!.month - (START + 60)) <= 1);
    expect(once.length).toBeGreaterThan(17);
  });

  it('does not report the end of a long decline every half year', () => {
    const shifts = Array.from({ length: 20 }, (_, seed) =>
      detectChanges(steadily(96, (t) => 0.7 ** (Math.min(t, 48) / 12), seed + 1)).filter(isLevelShift),
    );
    expect(shifts.flat().length).toBeLessThanOrEqual(2 * shifts.length);
  });

  it.each([
    [1.6, 1.5],
    [0.6, 0.6],
  ])(
    'finds a shift years after another in its direction within the first two years (times %d, then times %d)',
    (first, later) => {
      for (const at of [5, 8, 13, 18]) {
        const values = Float64Array.from({ length: 66 }, (_, t) => {
          const usual = 1000 * (1 + 0.4 * Math.sin((2 * Math.PI * t) / 12)) * (1 + (((t * 7) % 5) - 2) / 40);
          return Math.round(usual * (t >= at ? first : 1) * (t >= 60 ? later : 1));
        });
        const shifts = detectChanges({ id: 'a', startMonth: START, values }).filter(isLevelShift);
        expect(shifts.map(({ month }) => month)).toEqual([START + 60]);
      }
    },
  );

  it.each([
    [5, 12],
    [12, 18],
  ])('does not expect an episode of the first two years again (months %d to %d)', (from, to) => {
    const found = Array.from({ length: 40 }, (_, seed) =>
      detectChanges(demand(60, (t, value) => (t >= from && t < to ? 2 * value : value), seed + 1)),
    ).filter((changes) => changes.some(isLevelShift));
    expect(found.length).toBeLessThan(10);
  });

  it('finds the same changes in packs of twelve as in single pieces', () => {
    const history = orders(84, (t) => (t >= 48 ? 0.95 : 0.2));
    const packs = detectChanges({ ...history, values: history.values.map((value) => 12 * value) });
    expect(packs.map(({ kind, month }) => [kind, month])).toEqual(
      detectChanges(history).map(({ kind, month }) => [kind, month]),
    );
  });

  it('finds the same changes in tenths as in whole numbers', () => {
    for (let seed = 0; seed < 20; seed++) {
      const eighths = orders(84, (t) => (t >= 48 ? 0.8 : 0.2), seed).values.map((value) => value / 8);
      const found = (values: Float64Array) =>
        detectChanges({ id: 'b', startMonth: START, values }).map(({ kind, month }) => [kind, month]);
      expect(found(eighths.map((value) => Number((value * 0.8).toFixed(1))))).toEqual(found(eighths));
    }
  });

  it('finds the same changes for orders of 1.5 and 2.5 units as for a tenth of them', () => {
    for (let seed = 0; seed < 20; seed++) {
      const halves = orders(84, (t) => (t >= 48 ? 0.8 : 0.3), seed).values.map((value) =>
        value > 0 ? Math.min(value, 2) + 0.5 : 0,
      );
      const found = (values: Float64Array) =>
        detectChanges({ id: 'b', startMonth: START, values }).map(({ kind, month }) => [kind, month]);
      expect(found(halves.map((value) => 0.1 * value))).toEqual(found(halves));
    }
  });

  it('reports no rise when one odd order makes the common pack smaller', () => {
    const rises = Array.from({ length: 50 }, (_, seed) => {
      const random = createRandom(seed);
      const values = Float64Array.from({ length: 84 }, () => (random() < 0.4 ? 5 : 0));
      values[48] = 1;
      return detectChanges({ id: 'b', startMonth: START, values });
    }).flat();
    expect(rises.filter(({ kind }) => kind === 'level_shift_up').length).toBeLessThan(5);
  });

  it('reports orders that become much smaller at the same frequency', () => {
    const random = createRandom(5);
    const values = Float64Array.from({ length: 96 }, (_, t) =>
      random() < 0.4 ? (t < 60 ? 10 + Math.floor(5 * random()) : 1) : 0,
    );
    const changes = detectChanges({ id: 'b', startMonth: START, values });
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'level_shift_down', severity: 'high' }));
  });

  it('reports a fall in a month in which a rise is too small to report', () => {
    const demand = (months: number) => Array.from({ length: months }, (_, t) => [3, 1, 2, 0, 3][t % 5]!);
    const none = (months: number) => new Array<number>(months).fill(0);
    const values = Float64Array.of(...demand(26), ...none(30), ...demand(36), ...none(32), 9, 9, 9);
    const last = START + values.length - 1;
    const falls = (coolDown: number) =>
      detectChanges({ id: 'b', startMonth: START, values }, { ...DEFAULT_CHANGE_OPTIONS, minimumUnits: 28, coolDown })
        .filter(({ kind }) => kind === 'level_shift_down')
        .map(({ detectedMonth }) => detectedMonth);
    const [first] = falls(values.length);
    expect(falls(last - first! - 1)).toEqual([first, last]);
  });

  it('reports months with more returns than sales without a percentage', () => {
    const once = detectChanges(demand(72, (t, value) => (t === 60 ? -2 * value : value)));
    expect(once[0]!.message).toMatch(
      /^More was returned than sold in January 2025: demand was -[\d,]+ against the [\d,]+ expected\.$/,
    );
    const since = detectChanges(demand(72, (t, value) => (t >= 60 ? -value : value)));
    expect(since.find(({ kind }) => kind === 'level_shift_down')!.message).toMatch(
      /^More has been returned than sold since [A-Z][a-z]+ 2025: -[\d,]+ a month over the first \d months against [\d,]+\.$/,
    );
  });

  it('reports net returns as a fall of 100 %, and no further fall when nothing is left', () => {
    for (const [from, falls] of [
      [60, ['drop', 'drop', 'level_shift_down']],
      [71, ['drop']],
    ] as const) {
      const changes = detectChanges(demand(72, (t, value) => (t >= from ? -6 * value : value)));
      expect(changes.map(({ kind }) => kind)).toEqual(falls);
      for (const { changePercent, severity } of changes) {
        expect({ changePercent, severity }).toEqual({ changePercent: -100, severity: 'high' });
      }
    }
  });

  it('reports demand where none was expected without a percentage', () => {
    const { message } = detectChanges(orders(84, (t) => (t >= 48 ? 0.6 : 0))).find(
      ({ kind }) => kind === 'level_shift_up',
    )!;
    expect(message).toMatch(/^There has been demand since [A-Z][a-z]+ 20\d\d where none was expected: /);
  });

  it('skips missing months', () => {
    const history = demand(80, (t, value) => (t % 9 === 4 ? NaN : t >= 52 ? 1.6 * value : value));
    expect(detectChanges(history)).toContainEqual(expect.objectContaining({ kind: 'level_shift_up' }));
    expect(detectChanges(demand(80, (t, value) => (t % 9 === 4 ? NaN : value)))).toEqual([]);
  });

  it('attributes steep months to the level shift they belong to, even if one of its months is missing', () => {
    const steep = detectChanges(demand(72, (t, value) => (t === 67 ? NaN : t >= 66 ? 2.4 * value : value)));
    expect(steep.map(({ kind }) => kind)).toEqual(['level_shift_up']);
  });

  it('reports a month that stands out from a new level, but no similar one until the cool-down ends', () => {
    const spikes = (changed: (t: number, value: number) => number) =>
      detectChanges(demand(96, changed))
        .filter(({ kind }) => kind === 'spike')
        .map(({ month }) => month - START);
    const shifted = (t: number, value: number) => (t >= 48 ? 1.6 * value : value);
    expect(spikes(shifted)).toEqual([]);
    expect(spikes((t, value) => (t === 54 ? 3 * value : shifted(t, value)))).toEqual([54]);
    // A temporary rise and, long after its end, a single month at its level.
    expect(spikes((t, value) => ((t >= 40 && t < 56) || t === 90 ? 1.8 * value : value))).toContain(90);
  });

  it('measures a fall in orders from the level since they rose', () => {
    const shifts = detectChanges(orders(120, (t) => (t < 48 ? 0.2 : t < 84 ? 0.95 : 0))).filter(
      ({ kind, detectedMonth }) => kind.startsWith('level') && detectedMonth > START + 40,
    );
    expect(shifts.map(({ kind }) => kind)).toEqual(['level_shift_up', 'level_shift_down']);
    // 2.5 pieces per order: .5 a month at first, 2.4 since.
    const against = shifts.map(({ message }) => Number(/against (?:the )?(\d+(?:\.\d+)?)/.exec(message)![1]));
    expect(against[0]).toBeLessThan(1);
    expect(against[1]).toBeGreaterThan(1.7);
  });

  it('treats months of infrequent returns as months without demand', () => {
    const returned = orders(84, (t) => (t >= 48 ? 0.95 : 0.2));
    const returns = returned.values.map((value, t) => (value === 0 && t % 5 === 0 ? -2 : value));
    const told = (values: Float64Array) => detectChanges({ ...returned, values });
    expect(told(returns)).toEqual(told(returned.values));
  });

  it('judges a history from the 25th observed month on', () => {
    const flat = (months: number, last: number) =>
      Float64Array.from({ length: months }, (_, t) => (t === months - 1 ? last : 100 + (t % 3)));
    const found = (values: Float64Array) =>
      detectChanges({ id: 'a', startMonth: START, values }).map(({ kind }) => kind);
    expect(found(flat(24, 500))).toEqual([]);
    expect(found(flat(25, 500))).toEqual(['spike']);
  });

  it.each([3, 24, 30])(
    'judges a product by its demand since launch, whatever the %i months before it contain',
    (months) => {
      const { values } = demand(84, (t, value) => (t >= 48 ? 1.4 * value : value));
      const told = (before: number) =>
        detectChanges({
          id: 'a',
          startMonth: START - before,
          values: Float64Array.of(...new Array<number>(before).fill(0), ...values),
        }).filter(({ detectedMonth }) => detectedMonth >= START + 24);
      expect(told(months)).toEqual(told(0));
      expect(told(0)).toContainEqual(expect.objectContaining({ kind: 'level_shift_up' }));
    },
  );

  it('finds a level shift within two years of a launch', () => {
    const found = Array.from({ length: 40 }, (_, seed) =>
      detectChanges(demand(30, (t, value) => (t < 6 ? 0 : t < 24 ? value : 1.6 * value), seed + 1)),
    ).filter((changes) => changes.some(({ kind, month }) => kind === 'level_shift_up' && month >= START + 23));
    expect(found.length).toBeGreaterThanOrEqual(30);
  });

  it('judges rare orders by those since launch, starting two years after it', () => {
    const launched = Array.from({ length: 40 }, (_, seed) => {
      const { values } = orders(84, () => 0.3, seed + 1);
      return values.subarray(values.findIndex((value) => value > 0));
    });
    const told = (before: number) =>
      launched.map((values) =>
        detectChanges({
          id: 'a',
          startMonth: START - before,
          values: Float64Array.of(...new Array<number>(before).fill(0), ...values),
        }).filter(({ detectedMonth }) => detectedMonth >= START + 24),
      );
    expect(told(40)).toEqual(told(0));
    expect(told(40).flat().length).toBeGreaterThan(0);
  });

  it.each([2, 4])('finds level shifts of a product that took %i months to ramp up', (months) => {
    const found = Array.from({ length: 20 }, (_, seed) =>
      detectChanges(
        demand(
          66,
          (t, value) => ((value * Math.min(t + 1, months + 1)) / (months + 1)) * (t >= 48 ? 1.3 : 1),
          seed + 1,
        ),
      ),
    ).filter((changes) => changes.some(({ kind }) => kind === 'level_shift_up'));
    expect(found.length).toBeGreaterThanOrEqual(15);
  });

  it('finds level shifts even if one month of the first two years was ten times the usual', () => {
    const found = Array.from({ length: 20 }, (_, seed) =>
      detectChanges(demand(60, (t, value) => (t === 12 ? 10 * value : t >= 48 ? 1.3 * value : value), seed + 1)),
    ).filter((changes) => changes.some(({ kind }) => kind === 'level_shift_up'));
    expect(found.length).toBeGreaterThanOrEqual(15);
  });

  it('reports important items no later than others', () => {
    const history = demand(72, (t, value) => (t >= 48 ? 1.25 * value : value));
    const first = (changes: ReturnType<typeof detectChanges>) =>
      changes.find((change) => change.kind === 'level_shift_up')!.detectedMonth;
    expect(first(detectChanges(history, IMPORTANT_CHANGE_OPTIONS))).toBeLessThanOrEqual(first(detectChanges(history)));
  });

  it('finds a fourfold increase in intermittent orders, and nothing when their number is steady', () => {
    expect(detectChanges(orders(84, () => 0.3))).toEqual([]);
    const more = detectChanges(orders(84, (t) => (t >= 48 ? 0.95 : 0.2)));
    expect(more).toContainEqual(expect.objectContaining({ kind: 'level_shift_up' }));
  });

  it('does not report seasonal orders as rises, but does report more of them in season', () => {
    const inSeason = (t: number) => t % 12 < 5;
    const rises = (histories: readonly DemandHistory[]) =>
      histories.map((history) => detectChanges(history).filter(({ kind }) => kind === 'level_shift_up'));
    const steady = rises(
      Array.from({ length: 100 }, (_, seed) => orders(84, (t) => (inSeason(t) ? 0.85 : 0), seed)),
    ).flat();
    expect(steady.length).toBeLessThanOrEqual(10);

    const more = Array.from({ length: 20 }, (_, seed) => {
      const history = orders(84, (t) => (inSeason(t) ? 0.85 : 0), seed);
      return { ...history, values: history.values.map((value, t) => (t >= 60 ? 4 * value : value)) };
    });
    const told = rises(more).flatMap(
      (changes) => changes.find(({ detectedMonth }) => detectedMonth >= START + 60) ?? [],
    );
    expect(told.filter(({ detectedMonth }) => detectedMonth < START + 65).length).toBeGreaterThanOrEqual(15);
    // Relative to the months in season; relative to the whole year it would be about 800 %.
    const percent = told.map(({ changePercent }) => changePercent).sort((a, b) => a - b);
    expect(percent[percent.length >> 1]).toBeGreaterThan(200);
    expect(percent[percent.length >> 1]).toBeLessThan(600);
  });

  it('reports the end of frequent orders within a year, and only once', () => {
    const ended = detectChanges(orders(96, (t) => (t < 60 ? 0.6 : 0))).filter(({ kind }) => kind.startsWith('level'));
    expect(ended.map(({ kind }) => kind)).toEqual(['level_shift_down']);
    expect(ended[0]!.detectedMonth - START).toBeLessThan(72);
    expect(ended[0]!.message).toMatch(/^There has been no demand since /);
  });

  it('reports that demand is back after sold-out months, not that it multiplied', () => {
    const back = detectChanges(demand(84, (t, value) => (t >= 60 && t < 63 ? 0 : value)));
    expect(back.map(({ kind }) => kind)).toEqual(['level_shift_down', 'level_shift_up']);
    const { message, detectedMonth } = back.at(-1)!;
    expect(detectedMonth - START).toBeLessThan(67);
    expect(message).toMatch(
      /^Demand has been back since [A-Z][a-z]+ 2025 at its level from before January 2025: [\d,]+ a month over the first \d months against [\d,.]+\.$/,
    );
    const doubled = detectChanges(demand(84, (t, value) => (t === 60 || t === 61 ? 0 : t < 60 ? value : 2 * value)));
    expect(doubled.find(({ kind }) => kind === 'level_shift_up')!.message).toMatch(/% higher than expected since/);
  });

  it('lists the changes of rare orders before those of the regular demand that they became', () => {
    const random = createRandom(1);
    const rare = Array.from({ length: 30 }, () => (random() < 0.4 ? Math.ceil(4 * random()) : 0));
    const regular = Array.from({ length: 90 }, (_, t) => Math.round((t < 80 ? 10 : 25) * (1 + 0.2 * random())));
    const changes = detectChanges({ id: 'a', startMonth: START, values: Float64Array.of(...rare, ...regular) });
    expect(changes).toHaveLength(2);
    expect(changes[0]!.detectedMonth).toBeLessThan(START + 40);
    expect(changes[1]!.detectedMonth).toBeGreaterThan(START + 110);
  });

  it.each([0.4, 2.5])('reports in the second month that demand is back from %p of its level', (factor) => {
    const known = Array.from({ length: 40 }, (_, seed) =>
      detectChanges(demand(84, (t, value) => (t >= 60 && t < 66 ? factor * value : value), seed + 1)),
    ).flatMap((changes) => changes.filter(({ undoesFormer }) => undoesFormer));
    expect(known.length).toBeGreaterThanOrEqual(38);
    const inSecond = known.filter(({ month, detectedMonth }) => month === START + 66 && detectedMonth === month + 1);
    expect(inSecond.length).toBeGreaterThanOrEqual(35);
  });

  it('reports a return, not a spike, if the second month back no longer stands out', () => {
    const known = Array.from({ length: 60 }, (_, seed) =>
      detectChanges(demand(60, (t, value) => (t >= 54 && t < 58 ? 0 : value), seed + 1)),
    ).flatMap((changes) => changes.filter(({ month }) => month >= START + 58));
    expect(new Set(known.map(({ kind }) => kind))).toEqual(new Set(['level_shift_up']));
    expect(known.length).toBeGreaterThanOrEqual(50);
  });

  it('says whether a level lasts by what the season makes of the later months', () => {
    const factor = (t: number) => 1 + 0.6 * Math.sin((2 * Math.PI * t) / 12);
    const inSeason = (change: (t: number) => number) => (t: number, value: number) =>
      (value / (1 + 0.2 * Math.sin((2 * Math.PI * t) / 12))) * factor(t) * change(t);
    const shiftOf = (start: number, change: (t: number) => number): string =>
      detectChanges(demand(72, inSeason(change))).find(
        ({ kind, month }) => kind.startsWith('level') && Math.abs(month - START - start) <= 1,
      )!.message;
    // from the low season into the high one, and the other way
    expect(shiftOf(56, (t) => (t >= 56 ? 0.5 : 1))).toMatch(/^Demand has been .* lower than expected since /);
    expect(shiftOf(60, (t) => (t >= 60 ? 1.6 : 1))).toMatch(/^Demand has been .* higher than expected since /);
    expect(shiftOf(60, (t) => (t >= 60 && t < 64 ? 0.5 : 1))).toMatch(/^Demand was .* lower than expected from /);
  });

  it('tells that demand is back after sold-out months for as long as it is, whatever its season', () => {
    const backs = Array.from({ length: 60 }, (_, seed) => {
      const out = 50 + (seed % 12);
      const soldOut = demand(out + 10, (t, value) => (t >= out && t < out + 4 ? 0 : value), seed + 1);
      return detectChanges(soldOut).filter(({ kind, month }) => kind === 'level_shift_up' && month >= START + out);
    }).flat();
    expect(backs.length).toBeGreaterThan(55);
    expect(backs.filter(({ isOver }) => isOver)).toEqual([]);
  });

  it('reports no new level for the month in which demand returns after two sold-out ones', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const told = detectChanges(demand(84, (t, value) => (t === 60 || t === 61 ? 0 : value), seed));
      const falls = told.filter(({ kind, month }) => /drop|down/.test(kind) && month >= START + 60);
      // the shift explains the drop of the month before it
      expect([seed, falls.map(({ kind, detectedMonth }) => [kind, detectedMonth - START])]).toEqual([
        seed,
        [falls[0]?.kind === 'drop' ? ['drop', 60] : ['level_shift_down', 61]],
      ]);
    }
  });

  it('reports that demand is back, not that it multiplied, even when months vary by a quarter', () => {
    const rises = Array.from({ length: 40 }, (_, seed) => {
      const random = createRandom(seed + 1);
      const values = Float64Array.from({ length: 70 }, (__, t) =>
        t >= 60 && t < 63 ? 0 : Math.round(1000 * (1 + 0.25 * normalQuantile(0.02 + 0.96 * random()))),
      );
      return detectChanges({ id: 'a', startMonth: START, values }).filter(
        ({ kind, month }) => kind === 'level_shift_up' && month >= START + 62,
      );
    }).flat();
    expect(rises.length).toBeGreaterThanOrEqual(35);
    expect(rises.filter(({ undoesFormer }) => !undoesFormer).length).toBeLessThanOrEqual(3);
  });

  it('reports no rise in the year after sold-out months, since their zeros are not learned as season', () => {
    const later = Array.from({ length: 30 }, (_, seed) =>
      detectChanges(demand(84, (t, value) => (t >= 40 && t < 44 ? 0 : value), seed + 1)),
    ).flatMap((changes) => changes.filter(({ detectedMonth }) => detectedMonth > START + 50));
    expect(later.length).toBeLessThanOrEqual(2);
  });

  it('reports a single month at the level from before a shift as a spike, once the next month is not at that level', () => {
    const values = (t: number, value: number): number => (t < 60 || t === 68 ? value : 0.3 * value);
    const spikes = (months: number): number[][] =>
      detectChanges(demand(months, values))
        .filter(({ kind }) => kind === 'spike')
        .map(({ month, detectedMonth }) => [month - START, detectedMonth - START]);
    expect([69, 70, 84].map(spikes)).toEqual([[], [[68, 69]], [[68, 69]]]);
  });

  it('reports the end of fading goods once, not the lack of demand month by month', () => {
    const fading = [0.7, 0.5, 0.3, 0.15];
    const ended = detectChanges(demand(84, (t, value) => (t < 60 ? value : (fading[t - 60] ?? 0) * value)));
    expect(ended.filter(({ month }) => month >= START + 66)).toEqual([]);
    expect(ended.map(({ kind }) => kind)).toContain('level_shift_down');
  });

  it('reports fading goods by level shifts, not month by month against demand half a year before', () => {
    const told = Array.from({ length: 30 }, (_, seed) => {
      const random = createRandom(seed + 1);
      const values = Float64Array.from({ length: 72 }, (__, t) =>
        Math.round(300 * 0.85 ** Math.max(t - 50, 0) * (1 + 0.03 * normalQuantile(0.001 + 0.998 * random()))),
      );
      return detectChanges({ id: 'a', startMonth: START, values }).map(({ kind }) => kind);
    }).flat();
    const share = (kind: string): number => told.filter((other) => other === kind).length / 30;
    expect(share('level_shift_down')).toBeCloseTo(3, 0);
    expect(share('drop')).toBeLessThan(1);
  });

  it('reports the end of demand that had ended shortly before the first month judged', () => {
    const found = Array.from({ length: 40 }, (_, seed) =>
      detectChanges(demand(31, (t, value) => (t < 22 ? value : 0), seed + 1)),
    ).filter((changes) => changes.some(({ changePercent }) => changePercent === -100));
    expect(found.length).toBeGreaterThanOrEqual(30);
  });

  it('reports a spike in the month in which demand returns', () => {
    const values = Float64Array.from({ length: 33 }, (_, t) => (t < 30 ? 98 + (t % 5) : t < 32 ? 0 : 250));
    expect(
      detectChanges({ id: 'a', startMonth: START, values }).map(({ kind, month }) => [kind, month - START]),
    ).toEqual([
      ['drop', 30],
      ['spike', 32],
    ]);
  });

  it('reports the end of demand once, not again every month', () => {
    const sold = [129, 126, 156, 172, 137, 163, 140, 134, 99, 125, 153, 167, 125, 117, 142];
    const faded = [209, 168, 138, 130, 125, 129, 167, 135, 168, 161, 116, 111, 80, 70, 60];
    const values = Float64Array.of(...sold, ...faded, 0, 0, 0, 0, 0, 0, 0);
    const drops = detectChanges({ id: 'a', startMonth: START, values: values.slice(0, 36) }).filter(
      ({ kind }) => kind === 'drop',
    );
    expect(drops.map(({ month }) => month - START)).toEqual([33]);
  });

  it('reports the end of faded goods in one month, and not again half a year later', () => {
    const fading = [0.8, 0.6, 0.4, 0.2];
    for (const seed of [3, 4]) {
      const told = detectChanges(demand(84, (t, value) => (t < 60 ? value : (fading[t - 60] ?? 0) * value), seed));
      const ofEnd = told.filter(({ detectedMonth }) => detectedMonth >= START + 64);
      expect(ofEnd.map(({ kind, month }) => [kind, month - START])).toEqual([['drop', 64]]);
    }
  });

  it('reports that demand is back at the level it had fallen to, even if its end was reported as a drop only', () => {
    const told = detectChanges(demand(84, (t, value) => (t < 56 ? value : t >= 60 && t < 67 ? 0 : 0.5 * value)));
    expect(told.map(({ kind, month, undoesFormer }) => [kind, month - START, undoesFormer])).toEqual([
      ['level_shift_down', 56, undefined],
      ['drop', 60, undefined],
      ['level_shift_up', 67, true],
    ]);
  });

  it('finds orders for an item that had none before', () => {
    const started = detectChanges(orders(84, (t) => (t >= 48 ? 0.6 : 0)));
    expect(started).toContainEqual(expect.objectContaining({ kind: 'level_shift_up', severity: 'high' }));
  });

  it('reports the orders since a shift against those expected from the months before it', () => {
    const values = Float64Array.from({ length: 72 }, (_, t) => (t % 3 === 0 || t >= 48 ? 2 + (t % 2) : 0));
    const { month, detectedMonth, message } = detectChanges({ id: 'b', startMonth: START, values }).find(
      ({ kind }) => kind === 'level_shift_up',
    )!;
    const since = values.slice(month - START, detectedMonth - START + 1);
    const told = /: ([\d.]+) a month over the first (\d+) months against ([\d.]+)\.$/
      .exec(message)!
      .slice(1)
      .map(Number);
    expect(told[0]).toBeCloseTo(since.reduce((sum, value) => sum + value, 0) / since.length, 1);
    expect(told[1]).toBe(since.length);
    // Alternately two and three pieces, every third month.
    expect(Math.abs(told[2]! - 2.5 / 3)).toBeLessThan(0.1);
  });

  it('reports an odd order in pieces only from the minimum number of units on, and any in divisible units', () => {
    const random = createRandom(11);
    const pieces = Float64Array.from({ length: 84 }, () => (random() < 0.3 ? 1 + Math.floor(4 * random()) : 0));
    pieces[70] = 40;
    const spikes = (values: Float64Array) =>
      detectChanges({ id: 'b', startMonth: START, values }, { ...DEFAULT_CHANGE_OPTIONS, minimumUnits: 60 })
        .filter(({ kind }) => kind === 'spike')
        .map(({ month }) => month - START);
    expect(spikes(pieces)).toEqual([]);
    expect(spikes(pieces.map((value) => 1.3 * value))).toEqual([70]);
    expect(spikes(pieces.map((value) => 3 * value))).toEqual([70]);
  });

  it('classifies an order of forty pieces among orders of one to four as a spike', () => {
    const history = orders(60, () => 0.4);
    history.values[55] = 40;
    expect(detectChanges(history)).toContainEqual(expect.objectContaining({ kind: 'spike', month: START + 55 }));
  });

  it.each([
    ['an empty history', [], []],
    ['a single month', [], [5]],
    ['two years', [], new Array<number>(24).fill(7)],
    ['constant demand', [], new Array<number>(60).fill(7)],
    ['zeros only', [], new Array<number>(60).fill(0)],
    ['missing months only', [], new Array<number>(60).fill(NaN)],
    ['huge values', [], Array.from({ length: 60 }, (_, t) => 1e12 * (1 + (t % 3)))],
    [
      'the smallest number beside a large one',
      ['spike'],
      Array.from({ length: 60 }, (_, t) => [5e-324, 0, 0, t > 30 ? 1e10 : 0][t % 4]!),
    ],
    ['the largest numbers', [], Array.from({ length: 60 }, (_, t) => (t % 3 === 0 ? 1e308 : 0))],
    ['tiny values', [], Array.from({ length: 60 }, (_, t) => 1e-12 * (1 + (t % 5)))],
    ['returns every fourth month', [], Array.from({ length: 60 }, (_, t) => (t % 4 === 0 ? -50 : 100 + t))],
  ])('for %s finds %j, with finite numbers', (_, kinds, values) => {
    const changes = detectChanges({ id: 'c', startMonth: START, values: Float64Array.from(values) });
    expect(changes.map(({ kind }) => kind)).toEqual(kinds);
    for (const { changePercent } of changes) expect(Number.isFinite(changePercent)).toBe(true);
  });
});
