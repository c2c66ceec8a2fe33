import { afterAll, beforeAll } from '@jest/globals';
import { Rounds } from '../../src/platform/rounds.js';

/** Milliseconds between two rounds of work that is looked for every second or two outside tests. */
const HURRIED_MS = 100;

/**
 * Has the services that the surrounding `describe` starts look for due work, such as mails and syncs, ten times a second: a
 * suite of such work otherwise does little but wait for the next round. What is due, and when, stays as it is.
 */
export function hurryRounds(): void {
  const begin = Reflect.get(Rounds.prototype, 'begin');
  beforeAll(() => {
    Rounds.prototype.begin = function (this: Rounds, intervalMs, work) {
      begin.call(this, Math.min(intervalMs, HURRIED_MS), work);
    };
  });
  afterAll(() => {
    Rounds.prototype.begin = begin;
  });
}
