import { afterAll, beforeAll } from '@jest/globals';
import { ScheduleExplorer } from '@nestjs/schedule';

/** Milliseconds between rounds of work that is polled for every few seconds outside tests. */
const HURRIED_MS = 100;
/** Longest interval that is shortened, in milliseconds. */
const LONGEST_MS = 5_000;

/** The part of @nestjs/schedule that registers methods with `@Interval`. */
interface Orchestrator {
  addInterval(work: () => Promise<void>, intervalMs: number, name?: string): void;
}

/**
 * Makes the services started in the surrounding `describe` look for due work, such as emails and syncs, ten times a second: a suite of such
 * work otherwise spends most of its time waiting for the next round. What is due, and when, does not change.
 */
export function speedUpRounds(): void {
  const explore = Reflect.get(ScheduleExplorer.prototype, 'explore');
  beforeAll(() => {
    ScheduleExplorer.prototype.explore = function (this: ScheduleExplorer) {
      const orchestrator = Reflect.get(this, 'schedulerOrchestrator') as Orchestrator;
      const add = orchestrator.addInterval.bind(orchestrator);
      orchestrator.addInterval = (work, intervalMs, name) =>
        add(work, intervalMs > LONGEST_MS ? intervalMs : HURRIED_MS, name);
      explore.call(this);
    };
  });
  afterAll(() => {
    ScheduleExplorer.prototype.explore = explore;
  });
}
