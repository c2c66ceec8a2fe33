import {
  type DemandChange,
  hasEnded,
  isLevelShift,
  labelAfter,
  nextTrendLabel,
  trendChange,
  type TrendLabel,
} from '../forecasting/change/index.js';
import type { TrendState } from '../series/index.js';
import type { SeriesFindings } from './findings.js';

/** The consequences of a run's findings on one series, given what earlier runs reported. */
export interface Judgement {
  readonly state: TrendState;
  readonly labelChange?: { readonly previous: TrendLabel; readonly label: TrendLabel };
  readonly alerts: readonly DemandChange[];
}

/**
 * Judges one series. New are the changes revealed by months that no run has judged before, and always those of the latest month (its demand
 * may have been corrected since; the same alert is stored only once). In a history that no run has judged, that is the latest month and the
 * level shift before it that still affects demand: the last one, unless it reversed another or is over. A month that goes on with one that
 * stood out raises no alert of its own, but in such a history.
 * @returns undefined if a run over later data has already judged the series: findings about the past are not news
 */
export function judgeFindings(findings: SeriesFindings, former: TrendState | undefined): Judgement | undefined {
  const { seriesId, latestMonth, trend } = findings;
  if (former !== undefined && former.month > latestMonth) return undefined;
  const judged = Math.min(former?.month ?? Infinity, latestMonth - 1);
  const shift = findings.changes.findLast(isLevelShift);
  const standing = former === undefined && shift && !shift.undoesFormer && !shift.isOver ? shift : undefined;
  const found = findings.changes.filter((change) => change.detectedMonth > judged || change === standing);
  // the month before has been reported, and if they go on a level shift will be
  const news = former === undefined ? found : found.filter(({ continuesFormer }) => !continuesFormer);
  const shown = former?.label ?? null;
  const candidate = labelAfter(shown, trend);
  const label = nextTrendLabel(shown, former?.candidate ?? null, candidate, found.length > 0 || hasEnded(trend));
  const state = { seriesId, label, candidate, month: latestMonth };
  if (former === undefined || former.label === label) return { state, alerts: news };
  // only the last month of the history is read
  const history = { id: seriesId, startMonth: latestMonth, values: new Float64Array(1) };
  const turn = trendChange(history, former.label, label, trend, findings.shifts ?? []);
  return {
    state,
    labelChange: { previous: former.label, label },
    alerts: turn === undefined ? news : [...news, turn],
  };
}
