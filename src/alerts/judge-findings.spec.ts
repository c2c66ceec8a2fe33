import { describe, expect, it } from '@jest/globals';
import type { DemandChange, TrendLabel } from '../forecasting/change/index.js';
import type { TrendState } from '../series/index.js';
import type { SeriesFindings } from './findings.js';
import { judgeFindings } from './judge-findings.js';

const MONTH = 24_320;

const spike = (detectedMonth: number): DemandChange => ({
  kind: 'spike',
  month: detectedMonth,
  detectedMonth,
  severity: 'high',
  changePercent: 120,
  message: 'A spike.',
});
const shift = (detectedMonth: number): DemandChange => ({
  ...spike(detectedMonth),
  kind: 'level_shift_up',
  month: detectedMonth - 2,
});
const findings = (label: TrendLabel, changes: DemandChange[] = []): SeriesFindings => ({
  seriesId: 'a',
  latestMonth: MONTH,
  trend: { label, percentPerYear: 14, pValue: 0.001 },
  changes,
});
const former = (overrides: Partial<TrendState> = {}): TrendState => ({
  seriesId: 'a',
  label: 'stable',
  candidate: 'stable',
  month: MONTH - 1,
  ...overrides,
});

describe('judgeFindings', () => {
  it('assigns a first label without reporting a change, and reports the latest month only', () => {
    const judgement = judgeFindings(findings('growth', [spike(MONTH - 1), spike(MONTH)]), undefined);
    expect(judgement).toEqual({
      state: { seriesId: 'a', label: 'growth', candidate: 'growth', month: MONTH },
      alerts: [spike(MONTH)],
    });
  });

  it('reports the earlier level shift of a series that no run has judged', () => {
    const judgement = judgeFindings(findings('stable', [shift(MONTH - 5), spike(MONTH - 1)]), undefined);
    expect(judgement?.alerts).toEqual([shift(MONTH - 5)]);
    expect(judgeFindings(findings('stable', [shift(MONTH - 5)]), former())?.alerts).toEqual([]);
  });

  it('reports neither a reverted level shift nor its reversal for a series that no run has judged', () => {
    const back: DemandChange = { ...shift(MONTH - 3), kind: 'level_shift_down', undoesFormer: true };
    expect(judgeFindings(findings('stable', [shift(MONTH - 8), back]), undefined)?.alerts).toEqual([]);
    expect(judgeFindings(findings('stable', [shift(MONTH - 8), shift(MONTH - 3)]), undefined)?.alerts).toEqual([
      shift(MONTH - 3),
    ]);
  });

  it('does not report a level shift that is over for a series that no run has judged', () => {
    const over: DemandChange = { ...shift(MONTH - 5), isOver: true };
    expect(judgeFindings(findings('stable', [over]), undefined)?.alerts).toEqual([]);
    expect(judgeFindings(findings('stable', [over]), former({ month: MONTH - 6 }))?.alerts).toEqual([over]);
  });

  it('reports no month that goes on with the one before, unless no run has judged that', () => {
    const second: DemandChange = { ...spike(MONTH), continuesFormer: true };
    const both = findings('stable', [spike(MONTH - 1), second]);
    const flat = { label: 'stable', percentPerYear: 0, pValue: 0.9 } as const;
    const grown = judgeFindings({ ...both, trend: flat }, former({ label: 'growth', candidate: 'growth' }));
    expect(grown).toMatchObject({ labelChange: { label: 'stable' }, alerts: [{ kind: 'trend_change' }] });
    expect(judgeFindings(both, former())?.alerts).toEqual([]);
    expect(judgeFindings(both, former({ month: MONTH - 2 }))?.alerts).toEqual([spike(MONTH - 1)]);
    expect(judgeFindings(both, undefined)?.alerts).toEqual([second]);
  });

  it('waits for a second run before changing the label', () => {
    expect(judgeFindings(findings('growth'), former())).toEqual({
      state: { seriesId: 'a', label: 'stable', candidate: 'growth', month: MONTH },
      alerts: [],
    });
    const second = judgeFindings(findings('growth'), former({ candidate: 'growth' }));
    expect(second?.labelChange).toEqual({ previous: 'stable', label: 'growth' });
    expect(second?.alerts).toMatchObject([{ kind: 'trend_change', month: MONTH }]);
  });

  it('keeps a reported trend while it meets the lower limits', () => {
    const trend = { label: 'stable', percentPerYear: 12, pValue: 0.02 } as const;
    const judgement = judgeFindings({ ...findings('stable'), trend }, former({ label: 'growth', candidate: 'stable' }));
    expect(judgement).toEqual({
      state: { seriesId: 'a', label: 'growth', candidate: 'growth', month: MONTH },
      alerts: [],
    });
  });

  it('changes the label immediately on an alert', () => {
    const judgement = judgeFindings(findings('decline', [spike(MONTH)]), former());
    expect(judgement?.labelChange).toEqual({ previous: 'stable', label: 'decline' });
    expect(judgement?.alerts.map((alert) => alert.kind)).toEqual(['spike', 'trend_change']);
  });

  it('changes the label immediately when demand has ended', () => {
    const trend = { label: 'strong_decline', percentPerYear: -100, pValue: null } as const;
    const judgement = judgeFindings({ ...findings('strong_decline'), trend }, former());
    expect(judgement?.alerts).toMatchObject([{ kind: 'trend_change', changePercent: -100 }]);
  });

  it('changes the label after a level shift without reporting the step again as a trend', () => {
    const shifts = [{ kind: 'level_shift_up', month: MONTH - 18 }] as const;
    const judgement = judgeFindings({ ...findings('growth'), shifts }, former({ candidate: 'growth' }));
    expect(judgement?.labelChange).toEqual({ previous: 'stable', label: 'growth' });
    expect(judgement?.alerts).toEqual([]);
  });

  it('reports changes in all months since the last one judged', () => {
    const changes = [spike(MONTH - 2), spike(MONTH - 1), spike(MONTH)];
    expect(judgeFindings(findings('stable', changes), former({ month: MONTH - 2 }))?.alerts).toEqual(changes.slice(1));
    expect(judgeFindings(findings('stable', changes), former({ month: MONTH }))?.alerts).toEqual([spike(MONTH)]);
  });

  it('reports nothing about months before the last one judged', () => {
    expect(judgeFindings(findings('growth', [spike(MONTH)]), former({ month: MONTH + 1 }))).toBeUndefined();
  });
});
