import { afterAll, beforeAll } from '@jest/globals';
import { ScheduleExplorer } from '@nestjs/schedule';

/** Milliseconds between two rounds of work that is looked for every few seconds outside tests. */
const HURRIED_MS = 100;
/** Longest interval that is hurried, in milliseconds. */
const LONGEST_MS = 5_000;

/** What @nestjs/schedule gives the methods with `@Interval` to. */
interface Orchestrator {
  addInterval(work: () => Promise<void>, intervalMs: number, name?: string): void;
}

/**
 * Has the services that the surrounding `describe` starts look for due work, such as mails and syncs, ten times a second: a
 * suite of such work otherwise does little but wait for the next round. What is due, and when, stays as it is.
 */
export function hurryRounds(): void {
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
