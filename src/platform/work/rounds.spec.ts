import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { currentScope } from '../database/scope.js';
import { Lifecycle } from '../lifecycle.js';
import { Rounds } from './rounds.js';

function someRounds() {
  const logged: unknown[] = [];
  const lifecycle = new Lifecycle();
  lifecycle.markReady();
  const rounds = new Rounds(lifecycle, pino({}, { write: (line) => logged.push(JSON.parse(line)) }));
  return { rounds, lifecycle, logged };
}

describe('a round', () => {
  it('runs every step even if an earlier one failed, and logs the failure', async () => {
    const { rounds, logged } = someRounds();
    const done: unknown[] = [];
    await rounds.make(
      'cleaning',
      () => Promise.reject(new Error('the database is away')),
      () => Promise.resolve(done.push(currentScope())),
    );
    expect(done).toEqual([{ kind: 'system', reason: 'cleaning' }]);
    expect(logged).toMatchObject([{ level: 40, work: 'cleaning', err: { message: 'the database is away' } }]);
  });

  it('repeats a step that has more to do, until the process stops', async () => {
    const { rounds, lifecycle } = someRounds();
    const left = [true, true, false];
    const done: string[] = [];
    const step = () => Promise.resolve(left.shift());
    await rounds.make('cleaning', step, () => Promise.resolve(done.push('the next step')));
    expect([left, done]).toEqual([[], ['the next step']]);
    let times = 0;
    await rounds.make('e-mail', () => {
      times += 1;
      if (times === 3) lifecycle.markDraining();
      return Promise.resolve(true);
    });
    expect(times).toBe(3);
  });

  it('does not start while another of the same work is running, but waits for that one', async () => {
    const { rounds } = someRounds();
    const first = Promise.withResolvers<void>();
    let [begun, waited] = [0, false];
    const make = (work: string) => rounds.make(work, () => ((begun += 1), first.promise));
    const [one, two, other] = [make('e-mail'), make('e-mail').then(() => (waited = true)), make('metering')];
    await new Promise(setImmediate);
    expect([begun, waited]).toEqual([2, false]);
    first.resolve();
    await Promise.all([one, two, other]);
    await make('e-mail');
    expect(begun).toBe(3);
  });

  it('is awaited on shutdown, which starts no further step', async () => {
    const { rounds, lifecycle } = someRounds();
    const step = Promise.withResolvers<void>();
    const done: string[] = [];
    const round = rounds.make(
      'cleaning',
      () => step.promise,
      () => Promise.resolve(done.push('a further step')),
    );
    lifecycle.markDraining();
    const stopped = rounds.onModuleDestroy().then(() => done.push('stopped'));
    await new Promise(setImmediate);
    expect(done).toEqual([]);
    step.resolve();
    await Promise.all([stopped, round]);
    await rounds.make('cleaning', () => Promise.resolve(done.push('a further round')));
    expect(done).toEqual(['stopped']);
  });
});
