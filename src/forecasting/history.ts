import { firstObserved } from './missing.js';
import type { DemandHistory } from './types.js';

/** The history without the missing months before its first observation (a view, no copy). */
export function trimStart(history: DemandHistory): DemandHistory {
  return cutStart(history, firstObserved(history.values));
}

/** The history without its first `months` (a view, no copy). */
export function cutStart(history: DemandHistory, months: number): DemandHistory {
  if (months === 0) return history;
  return { ...history, startMonth: history.startMonth + months, values: history.values.subarray(months) };
}

/** The history from its first demand or return on (a view, no copy); as it is where there is none. */
export function sinceFirstDemand(history: DemandHistory): DemandHistory {
  const first = history.values.findIndex((value) => Math.abs(value) > 0);
  return cutStart(history, Math.max(first, 0));
}

/**
 * The history with months of more returns than demand as months without demand. A forecast is not below zero either, and one
 * large return would otherwise draw a level for months to come: -200 at the end of 30 a month made the forecast of a year zero.
 */
export function withoutReturns(history: DemandHistory): DemandHistory {
  const values = demandWithoutReturns(history.values);
  return values === history.values ? history : { ...history, values };
}

/** Demand a month with those of more returns as 0; the same array where there are none. */
export function demandWithoutReturns(values: Float64Array): Float64Array {
  return values.some((value) => value < 0) ? values.map((value) => (value < 0 ? 0 : value)) : values;
}

/** The history as it was known `months` before its end. */
export function cutEnd(history: DemandHistory, months: number): DemandHistory {
  if (months === 0) return history;
  return { ...history, values: history.values.subarray(0, Math.max(0, history.values.length - months)) };
}

/**
 * Largest demand that is computed with, so that no sum of squares overflows, whatever it is divided by: from 1e155 on, a single such series
 * left the members of the combination without weights, and all regular series of its workspace without a forecast.
 */
const MAX_DEMAND = 1e100;

/** Whether every value is missing, or small enough to compute with. */
export function isComputable(values: Float64Array): boolean {
  return values.every((value) => Math.abs(value) <= MAX_DEMAND || Number.isNaN(value));
}

/** Systematic sample of at most `limit` items, evenly spaced over the list: the same ones however the list is later split up. */
export function systematicSample<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  const stride = items.length / limit;
  return Array.from({ length: limit }, (_, i) => items[Math.floor(i * stride)]!);
}

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Sample of at most `limit` items, one of each of as many equal parts of the list. Their places within the parts follow a golden-ratio
 * sequence: at equal distances, a kind that comes every fourth time, as a variant of each product may, can be missing altogether.
 */
export function stratifiedSample<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  const startOf = (part: number): number => Math.floor((part * items.length) / limit);
  return Array.from({ length: limit }, (_, part) => {
    const size = startOf(part + 1) - startOf(part);
    return items[startOf(part) + Math.floor(((part * GOLDEN_RATIO) % 1) * size)]!;
  });
}
