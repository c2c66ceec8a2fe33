import { cutStart } from '../history.js';
import { countObserved, observedValues } from '../missing.js';
import { classifyDemand } from './classify.js';
import type { DemandHistory } from '../types.js';

/** Months without demand after which demand begins anew: longer than the pause of anything sold once a year. */
const SILENCE = 12;
/** Months since the restart that are enough to forecast from; fewer may be no more than a few orders. */
const MIN_SINCE = 3;
/** Months since demand became frequent that are enough. */
const MIN_SINCE_RISE = 6;
/** Of 10,000 simulated series of random orders at most three reach it. */
const EVIDENCE = 15;
/**
 * The same against demand that comes in spells, in which a month with demand is likely to follow another: without it a fifth of
 * simulated series with spells of ten months were cut to their last one.
 */
const EVIDENCE_AGAINST_SPELLS = 8;
/** Changes between months with and without demand that it takes to estimate spells. */
const MIN_CHANGES = 4;

/** The part of a history since demand began anew. */
export interface Restart {
  readonly since: DemandHistory;
  /** Whether its months are too few to be forecast from alone. */
  readonly isFresh: boolean;
}

/**
 * Where demand began anew, and earlier months without demand would make frequent demand look rare: products whose export fills the
 * months before their launch with zeros, products that are listed again, and those that were ordered now and then and sell each month
 * now. Not of demand of a few pieces a month, once there is enough of it: the pooled count model makes more from all months (car parts,
 * MASE and WQL9 when chosen .7910 / .8515, else .7913 / .8518).
 * @returns undefined where demand did not begin anew
 */
export function findRestart(history: DemandHistory): Restart | undefined {
  const start = restartIn(history);
  if (start === 0) return undefined;
  const since = cutStart(history, start);
  const { observed, countShare } = classifyDemand(since.values);
  const isFresh = observed < MIN_SINCE;
  return isFresh || countShare <= 0.5 ? { since, isFresh } : undefined;
}

/** The history since its {@link Restart}; as it is where there is none, or where the months since are too few. */
export function sinceRestart(history: DemandHistory): DemandHistory {
  const restart = findRestart(history);
  return restart && !restart.isFresh ? restart.since : history;
}

/** First month since demand began anew; 0 where it did not. */
function restartIn({ values }: DemandHistory): number {
  if (!classifyDemand(values).infrequent) return 0;
  const afterSilence = endOfSilence(values);
  return (wasInfrequent(values.subarray(0, afterSilence)) ? 0 : afterSilence) || launchOf(values) || riseOf(values);
}

/**
 * Whether the demand between the last two silences was infrequent, which fewer orders than {@link MIN_SINCE} are; false without any.
 * The last silence is nothing new then. Five spare parts of the Royal Air Force (raf, docs/engine-accuracy.md) had 3 to 10 orders in
 * 33 to 57 months and one in each of the last three: forecast from these three alone, their pinball loss was 2 to 480 times as large.
 */
function wasInfrequent(before: Float64Array): boolean {
  const last = before.findLastIndex((value) => value > 0);
  if (last < 0) return false;
  const spell = before.subarray(endOfSilence(before) || before.findIndex((value) => value > 0), last + 1);
  return classifyDemand(spell).infrequent || spell.filter((value) => value > 0).length < MIN_SINCE;
}

/** First month of demand after the last silence of so many months or more, by default {@link SILENCE}; 0 where there was none. */
export function endOfSilence(values: Float64Array, months = SILENCE): number {
  let silent = 0;
  let start = 0;
  for (let t = 0; t < values.length; t++) {
    if (values[t] === 0) silent++;
    if (!(values[t]! > 0)) continue;
    if (silent >= months) start = t;
    silent = 0;
  }
  return start;
}

/**
 * First month of demand, where it is frequent demand since, with at most one month in {@link SILENCE} without any; else 0. With more
 * such months the demand may be rare and its first orders close together by chance.
 */
function launchOf(values: Float64Array): number {
  const launch = values.findIndex((value) => value > 0);
  if (launch < 1) return 0;
  const since = values.subarray(launch);
  const empty = since.filter((value) => value === 0).length;
  return SILENCE * empty <= classifyDemand(since).observed ? launch : 0;
}

/**
 * First month of frequent demand after infrequent demand, with at most one month in {@link SILENCE} without any since; 0 where there is
 * none, or where chance may have brought the orders together: twice the logarithm of the likelihood ratio against one chance of demand
 * throughout must reach {@link EVIDENCE}, and {@link EVIDENCE_AGAINST_SPELLS} against spells of demand.
 */
function riseOf(values: Float64Array): number {
  const months = countObserved(values);
  const demands = values.filter((value) => value > 0).length;
  const throughout = logLikelihood(demands, months);
  let [before, demandsBefore] = [0, 0];
  for (let t = 0; t < values.length; t++) {
    const since = months - before;
    if (since < MIN_SINCE_RISE) return 0;
    const empty = since - (demands - demandsBefore);
    if (values[t]! > 0 && SILENCE * empty <= since) {
      const apart = logLikelihood(demandsBefore, before) + logLikelihood(since - empty, since);
      const isDistinct =
        2 * (apart - throughout) >= EVIDENCE && 2 * (apart - inSpells(values)) >= EVIDENCE_AGAINST_SPELLS;
      return isDistinct ? t : 0;
    }
    if (!Number.isNaN(values[t]!)) before++;
    if (values[t]! > 0) demandsBefore++;
  }
  return 0;
}

/** Largest log likelihood of months of which `demands` have demand. */
function logLikelihood(demands: number, months: number): number {
  const term = (count: number): number => (count > 0 ? count * Math.log(count / months) : 0);
  return term(demands) + term(months - demands);
}

/** Largest log likelihood of the months as a chain of two states, with and without demand; -Infinity where there are too few changes. */
function inSpells(values: Float64Array): number {
  const known = observedValues(values);
  const counts = { stays: [0, 0], leaves: [0, 0] };
  for (let t = 1; t < known.length; t++) {
    const before = known[t - 1]! > 0 ? 1 : 0;
    const kind = known[t]! > 0 === (before === 1) ? counts.stays : counts.leaves;
    kind[before]!++;
  }
  const [started = 0, ended = 0] = counts.leaves;
  if (started + ended < MIN_CHANGES) return -Infinity;
  return logLikelihood(started, started + counts.stays[0]!) + logLikelihood(ended, ended + counts.stays[1]!);
}
