import { afterAll, beforeAll } from '@jest/globals';

/** Milliseconds between rounds of work that is polled for every few seconds outside tests. */
const HURRIED_MS = 100;
/** Maximum interval that is shortened, in milliseconds. */
const MAX_HURRIED_MS = 5_000;
/** Where `@Interval` leaves the interval of a method. */
const INTERVAL = 'SCHEDULE_INTERVAL_OPTIONS';

/** A class with methods that `@Interval` repeats. */
interface Repeating {
  readonly prototype: object;
}

/**
 * Makes the services started in the surrounding `describe` look for the due work of these classes, such as e-mails, ten times a second: a
 * suite of such work otherwise spends most of its time waiting for the next round. What is due, and when, does not change. Only of these
 * classes: the rounds of all take an idle service a tenth of a processor.
 */
export function speedUpRounds(...classes: readonly Repeating[]): void {
  const intervals = classes.flatMap(({ prototype }) => intervalsOf(prototype));
  const usual = intervals.map(({ timeout }) => timeout);
  beforeAll(() => {
    for (const interval of intervals) interval.timeout = HURRIED_MS;
  });
  afterAll(() => {
    for (const [index, interval] of intervals.entries()) interval.timeout = usual[index]!;
  });
}

/** The short intervals of a class, each as @nestjs/schedule reads it when a service starts. */
function intervalsOf(prototype: object): { timeout: number }[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) => {
    if (typeof value !== 'function') return [];
    const interval = Reflect.getMetadata(INTERVAL, value as object) as { timeout: number } | undefined;
    return interval !== undefined && interval.timeout <= MAX_HURRIED_MS ? [interval] : [];
  });
}
