import { sumOf } from '../src/numeric/sum.js';
import { createHash } from 'node:crypto';
import {
  type ChangeOptions,
  DEFAULT_CHANGE_OPTIONS,
  type DemandChange,
  detectChanges,
  IMPORTANT_CHANGE_OPTIONS,
  isLevelShift,
} from '../src/forecasting/change/index.js';
import { CountHypotheses } from '../src/forecasting/change/infrequent/count-hypotheses.js';
import { ShiftLikelihoodRatio } from '../src/forecasting/change/infrequent/shift-likelihood-ratio.js';
import { RISE } from '../src/forecasting/change/infrequent/infrequent-hypotheses.js';
import { createRandom } from '../src/numeric/random.js';
import { type Draws, drawsFrom } from './support/draws.js';
import { cpuClock } from './support/resources.js';
import { type Design, FAMILIES, historyOf, MONTHS } from './support/simulated-series.js';

/** Findings start after the warm-up. */
const MONITORED_FROM = 24;
/** Size of the shifts, in standard deviations of a month, and the months within which they must be found. */
const SHIFT_SIGMAS = 2.5;
const WITHIN_MONTHS = 6;
/** Simulated series of each family. */
const SERIES = 2_000;
/** False alarms a series-year that are allowed. */
const FALSE_ALARM_BAR = 0.02;
/** Another seed than those of the families, of which the chart that knows all is to tell nothing. */
const ORACLE_SEED = 555;

/** Families that the average is taken over. */
const REGULAR = ['steady', 'seasonal', 'skewed', 'growing', 'counts'];
/** Families of which a chart that knows all about every series tells what could be found. */
const KNOWN = ['intermittent', 'six_of_twelve', 'four_of_twelve', 'infrequent_wave'];

interface FamilyResult {
  /** Findings of any kind in series in which nothing changes, per series and year. */
  false_alarms_per_series_year: number;
  /** Of these, level shifts. */
  false_shifts_per_series_year: number;
  /** Share of shifts of 2.5 sigma that were told as a level shift of that direction within six months. */
  found_within_6_months: number;
  /** Of those found, counting the first month of the shift as one. */
  mean_months_to_detection: number;
}

/** A seed for each name, so that families are independent of each other and of how many there are. */
function seedOf(family: string): number {
  return createHash('sha256').update(family).digest().readUInt32LE(0);
}

function measure(family: string, make: (draws: Draws) => Design, options: ChangeOptions): FamilyResult {
  const draws = drawsFrom(createRandom(seedOf(family)));
  let findings = 0;
  let shifts = 0;
  let found = 0;
  let delay = 0;
  for (let i = 0; i < SERIES; i++) {
    const quiet = detectChanges(historyOf(make(draws), MONTHS, 0), options);
    findings += quiet.length;
    shifts += quiet.filter(isLevelShift).length;

    const design = make(draws);
    const at = 36 + Math.floor(draws.between(0, 36));
    // Infrequent demand has no room for a fall of 2.5 sigma: its mean would be negative.
    const up = !REGULAR.includes(family) || draws.uniform() < 0.5;
    const history = historyOf(design, at, up ? SHIFT_SIGMAS : -SHIFT_SIGMAS);
    const first = detectChanges(history, options).find((change) => isHit(change, history.startMonth + at, up));
    if (first) {
      found++;
      delay += first.detectedMonth - history.startMonth - at + 1;
    }
  }
  const years = (SERIES * (MONTHS - MONITORED_FROM)) / 12;
  return {
    false_alarms_per_series_year: findings / years,
    false_shifts_per_series_year: shifts / years,
    found_within_6_months: found / SERIES,
    mean_months_to_detection: delay / found,
  };
}

function isHit(change: DemandChange, shiftMonth: number, up: boolean): boolean {
  const delay = change.detectedMonth - shiftMonth;
  return change.kind === (up ? 'level_shift_up' : 'level_shift_down') && delay >= 0 && delay < WITHIN_MONTHS;
}

/** Evidence for a rise in each month of a count series of which all is known, and where it shifts; nowhere at its length. */
interface KnownCounts {
  readonly margins: readonly number[];
  readonly shiftAt: number;
}

/**
 * Share of the rises of a family of counts that the same chart finds within six months when it knows the true mean, season and
 * dispersion of every series, at a decision limit with 2 % false alarms a series-year: a bound for charts that have to estimate them.
 */
function foundByOracle(make: (draws: Draws) => Design): number {
  const draws = drawsFrom(createRandom(ORACLE_SEED));
  const known = (shifted: boolean): KnownCounts => {
    const design = make(draws);
    const shiftAt = shifted ? 36 + Math.floor(draws.between(0, 36)) : MONTHS;
    const { values } = historyOf(design, shiftAt, SHIFT_SIGMAS);
    return { margins: oracleMargins(values, design), shiftAt };
  };
  const quiet = Array.from({ length: SERIES }, () => known(false));
  const shifting = Array.from({ length: SERIES }, () => known(true));
  const years = (SERIES * (MONTHS - MONITORED_FROM)) / 12;
  let [low, high] = [-5, 15];
  for (let step = 0; step < 20; step++) {
    const limit = 0.5 * (low + high);
    const alarms = quiet.reduce((sum, series) => sum + oracleAlarms(series, limit).length, 0);
    if (alarms > FALSE_ALARM_BAR * years) low = limit;
    else high = limit;
  }
  const found = shifting.filter((series) =>
    oracleAlarms(series, high).some((t) => t >= series.shiftAt && t < series.shiftAt + WITHIN_MONTHS),
  );
  return found.length / SERIES;
}

/** Evidence for a rise in every month, when the means and standard deviations before it are known. */
function oracleMargins(values: Float64Array, { mean, sigma }: Design): number[] {
  const average = sumOf(mean) / MONTHS;
  const busiest = mean.indexOf(Math.max(...mean));
  const dispersion = Math.max(sigma[busiest]! ** 2 / mean[busiest]!, 1.0005);
  const evidence = new ShiftLikelihoodRatio(new CountHypotheses([{ mean: average, dispersion }], [RISE]), 1);
  return Array.from(values, (count, t) => {
    evidence.record(count, mean[t]! / average);
    return evidence.evidence()[0]!.margin;
  });
}

/** Months in which a chart of rises with this limit alarms; it rests after each, but unlike the detector keeps its level. */
function oracleAlarms({ margins }: KnownCounts, limit: number): number[] {
  const alarms: number[] = [];
  for (let t = MONITORED_FROM; t < MONTHS; t++) {
    if (margins[t]! > limit && t - (alarms.at(-1) ?? -Infinity) > DEFAULT_CHANGE_OPTIONS.coolDown) alarms.push(t);
  }
  return alarms;
}

function timePerSeries(): number {
  const draws = drawsFrom(createRandom(7));
  const histories = Array.from({ length: 500 }, () => historyOf(FAMILIES['seasonal']!(draws), MONTHS, 0));
  for (const history of histories) detectChanges(history);
  const spent = cpuClock();
  for (let round = 0; round < 10; round++) for (const history of histories) detectChanges(history);
  return spent() / (10 * histories.length);
}

/** Means over families, or the figures of one, to four digits. */
function rounded(...results: FamilyResult[]): Record<string, number> {
  const fields = Object.keys(results[0]!) as (keyof FamilyResult)[];
  const mean = (field: keyof FamilyResult): number => sumOf(results.map((result) => result[field])) / results.length;
  return Object.fromEntries(fields.map((field) => [field, Number(mean(field).toFixed(4))]));
}

/**
 * Change detection over simulated demand of 84 months: false findings of series in which nothing changes, and how many shifts of
 * 2.5 standard deviations of a month are told within six months. Bar: at most 2 % a series-year, at least 85 %.
 */
export function run(): Promise<object> {
  const report = (options: ChangeOptions) => {
    const results = Object.entries(FAMILIES).map(([family, make]) => [family, measure(family, make, options)] as const);
    return {
      regular: rounded(...results.filter(([family]) => REGULAR.includes(family)).map(([, result]) => result)),
      ...Object.fromEntries(results.map(([family, result]) => [family, rounded(result)])),
    };
  };
  return Promise.resolve({
    series_per_family: SERIES,
    bar: 'at most 0.02 false alarms a series-year, at least 0.85 of the shifts found within 6 months',
    normal_items: report(DEFAULT_CHANGE_OPTIONS),
    important_items: report(IMPORTANT_CHANGE_OPTIONS),
    rises_found_by_a_chart_that_knows_mean_season_and_dispersion: Object.fromEntries(
      KNOWN.map((family) => [family, Number(foundByOracle(FAMILIES[family]!).toFixed(4))]),
    ),
    cpu_ms_per_series: Number(timePerSeries().toFixed(4)),
  });
}
