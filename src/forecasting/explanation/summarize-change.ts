import { monthInWords } from '../calendar.js';
import type { CentralMeasure } from '../description/central-measure.js';
import type { ChangeParts, ExplainedMonth } from './explain-change.js';
import { MAX_PERCENT, percentInWords, readable, readableDistinct, withUnit } from '../wording.js';

const PARTS: readonly { readonly part: keyof ChangeParts; readonly words: string }[] = [
  { part: 'dataRevision', words: 'revised history' },
  { part: 'newActualsLevel', words: 'new actuals moving the level' },
  { part: 'newActualsTrend', words: 'new actuals moving the trend' },
  { part: 'newActualsSeason', words: 'new actuals moving the season' },
  { part: 'reestimation', words: 'what was learned from all series' },
  { part: 'modelChange', words: 'a changed model or settings' },
  { part: 'overrides', words: 'overrides' },
];
const MEASURE_IN_WORDS: Record<CentralMeasure, string> = { median: 'forecast', mean: 'expected demand' };
/** Parts below this share of the largest are left out of the sentence. */
const WORTH_SAYING = 0.1;
/** Changes below this share of the forecast are no change to speak of. */
const NO_CHANGE = 0.005;

/** What of explained months adds up, over months and over series. */
export type ChangeSum = Omit<ExplainedMonth, 'month'>;
const NONE: ChangeSum = {
  prior: 0,
  current: 0,
  total: 0,
  dataRevision: 0,
  newActualsLevel: 0,
  newActualsTrend: 0,
  newActualsSeason: 0,
  reestimation: 0,
  modelChange: 0,
  overrides: 0,
};
const FIELDS = Object.keys(NONE) as (keyof ChangeSum)[];

/** Sum of explained months (of one series, or of a workspace's series): totals and parts add up as the months do. */
export function sumChanges(months: readonly ExplainedMonth[]): ChangeSum {
  const sum = { ...NONE };
  for (const month of months) addTo(sum, month);
  return sum;
}

/** Sums month by month over series that come one after the other. */
export class MonthlyChangeSums {
  private readonly byMonth = new Map<number, { month: number } & Record<keyof ChangeSum, number>>();

  add(series: readonly ExplainedMonth[]): void {
    for (const month of series) {
      const sum = this.byMonth.get(month.month);
      if (sum) addTo(sum, month);
      else this.byMonth.set(month.month, { ...month });
    }
  }

  /** Ascending. */
  months(): ExplainedMonth[] {
    return [...this.byMonth.values()].sort((a, b) => a.month - b.month);
  }
}

function addTo(sum: Record<keyof ChangeSum, number>, month: ChangeSum): void {
  for (const field of FIELDS) sum[field] += month[field];
}

/**
 * One sentence that says how the forecast changed and why, made of the numbers of `explainChange`: the change over all common
 * months, then its largest parts (at most three, each at least a tenth of the largest).
 */
export function summarizeChange(
  months: readonly ExplainedMonth[],
  { measure, unit }: { readonly measure: CentralMeasure; readonly unit: string },
): string {
  const first = months[0];
  const last = months.at(-1);
  if (!first || !last) return 'The two runs have no forecast month in common.';
  const sum = sumChanges(months);
  const period =
    first === last ? monthInWords(first.month) : `${monthInWords(first.month)} to ${monthInWords(last.month)}`;
  const subject = `The ${MEASURE_IN_WORDS[measure]} for ${period}`;
  const reasons = PARTS.map(({ part, words }) => ({ words, value: sum[part] }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, 3);
  const largest = Math.abs(reasons[0]!.value);
  const size = Math.max(Math.abs(sum.prior), Math.abs(sum.current));
  const hardly = Math.abs(sum.total) <= NO_CHANGE * size;
  // where the whole is told, small parts are too: without them the others would not add up to it
  const least = Math.max(WORTH_SAYING * largest, hardly ? NO_CHANGE * size : 0);
  const worthSaying = reasons.filter(({ value }) => Math.abs(value) >= least && value !== 0);
  const parts = worthSaying
    .map(({ words, value }) => `${words} (${value > 0 ? '+' : '-'}${readable(Math.abs(value))})`)
    .join(', ');
  const [before, after] = hardly
    ? [readable(sum.prior), readable(sum.current)]
    : readableDistinct([sum.prior, sum.current]);
  const range = `from ${before} to ${withUnit(after, unit)}`;
  if (hardly) {
    const cancelling = worthSaying.length > 1 ? ` Its parts nearly cancel out: ${parts}.` : '';
    return `${subject} hardly changed (${before === after ? withUnit(after, unit) : range}).${cancelling}`;
  }
  const percent = Math.abs((100 * sum.total) / sum.prior);
  const share = percent <= MAX_PERCENT ? `, ${percentInWords(percent)}` : '';
  return `${subject} ${sum.total > 0 ? 'rose' : 'fell'} ${range}${share}: ${parts}.`;
}
