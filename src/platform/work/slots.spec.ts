import { describe, expect, it } from '@jest/globals';
import { Slots } from './slots.js';

/** Work that runs until it is told to finish. */
class Work {
  private finish!: () => void;
  started = false;
  private readonly ended = new Promise<void>((resolve) => (this.finish = resolve));

  readonly run = (): Promise<void> => {
    this.started = true;
    return this.ended;
  };

  end(): void {
    this.finish();
  }
}

const turnOfEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** @param whose an organization and one of its keys per item: `a1`, `a2`, `b1` */
function begin(slots: Slots, whose: readonly string[]) {
  return whose.map((apiKeyId) => {
    const work = new Work();
    return {
      work,
      result: slots.run({ organizationId: apiKeyId.charAt(0), apiKeyId }, work.run).then(
        () => 'answered',
        (refusal: unknown) => refusal,
      ),
    };
  });
}

const LIMITS = { total: 4, perOrganization: 3, perKey: 2, maxWaitMs: 5_000 };

describe('slots for work that takes seconds', () => {
  it('are limited per key, per organization and in total', async () => {
    const begun = begin(new Slots('queries', LIMITS), ['a1', 'a1', 'a1', 'a2', 'a2', 'b1', 'b1', 'c1']);
    expect(begun.map(({ work }) => work.started)).toEqual([true, true, false, true, false, true, false, false]);
    for (const { work } of begun) work.end();
    expect(await Promise.all(begun.map(({ result }) => result))).toEqual(Array(8).fill('answered'));
  });

  it('leave one to other organizations, however many keys an organization uses', async () => {
    const begun = begin(new Slots('queries', LIMITS), ['a1', 'a1', 'a2', 'a2', 'a3', 'b1']);
    expect(begun.map(({ work }) => work.started)).toEqual([true, true, true, false, false, true]);
    for (const { work } of begun) work.end();
    await Promise.all(begun.map(({ result }) => result));
  });

  it('are limited per user where work is done for users', async () => {
    const slots = new Slots('pages', { total: 3, perUser: 2, maxWaitMs: 5 });
    const [first, second, third, other] = [new Work(), new Work(), new Work(), new Work()];
    const begun = [first, second].map((work) => slots.run({ userId: 'a' }, work.run));
    const refused = slots.run({ userId: 'a' }, third.run);
    begun.push(slots.run({ userId: 'b' }, other.run));
    expect([first, second, third, other].map(({ started }) => started)).toEqual([true, true, false, true]);
    await expect(refused).rejects.toMatchObject({
      code: 'too_many_requests',
      message: expect.stringContaining('At most 2 pages are processed at a time per user'),
    });
    for (const work of [first, second, other]) work.end();
    await Promise.all(begun);
  });

  it('are limited per organization only when keys have no limit', async () => {
    const { perKey: _perKey, ...limits } = LIMITS;
    const begun = begin(new Slots('queries', limits), ['a1', 'a1', 'a1', 'a1', 'b1']);
    expect(begun.map(({ work }) => work.started)).toEqual([true, true, true, false, true]);
    for (const { work } of begun) work.end();
    await Promise.all(begun.map(({ result }) => result));
  });

  it('go to the organization with the fewest running, and within it to the longest waiting', async () => {
    const begun = begin(new Slots('queries', { ...LIMITS, total: 3 }), ['a1', 'c1', 'a2', 'a1', 'b1', 'c2']);
    const [first, , second, ...waiting] = begun.map(({ work }) => work);
    const started = (): boolean[] => waiting.map((work) => work.started);
    expect(started()).toEqual([false, false, false]);
    first!.end();
    await turnOfEventLoop();
    expect(started()).toEqual([false, true, false]);
    second!.end();
    await turnOfEventLoop();
    expect(started()).toEqual([true, true, false]);
    for (const { work } of begun) work.end();
    await Promise.all(begun.map(({ result }) => result));
  });

  it('never exceed the limits while queries end and others arrive', async () => {
    const slots = new Slots('queries', { ...LIMITS, maxWaitMs: 600_000 });
    const asking = Array.from({ length: 12 }, () => ['a1', 'a1', 'a2', 'b1', 'a1', 'a3', 'b1', 'b1', 'c1']).flat();
    const running: { work: Work; apiKeyId: string }[] = [];
    const waiting: typeof running = [];
    const results: Promise<unknown>[] = [];
    const held = (whose: string) => running.filter(({ apiKeyId }) => apiKeyId.startsWith(whose)).length;
    for (const [turn, apiKeyId] of asking.entries()) {
      const [{ work, result }] = begin(slots, [apiKeyId]) as [{ work: Work; result: Promise<unknown> }];
      waiting.push({ work, apiKeyId });
      results.push(result);
      if (turn % 3 > 0) running.shift()?.work.end();
      await turnOfEventLoop();
      for (const query of waiting.filter(({ work: { started } }) => started)) {
        running.push(...waiting.splice(waiting.indexOf(query), 1));
      }
      expect(running.length).toBeLessThanOrEqual(LIMITS.total);
      for (const organization of ['a', 'b', 'c'])
        expect(held(organization)).toBeLessThanOrEqual(LIMITS.perOrganization);
      for (const key of ['a1', 'a2', 'a3', 'b1', 'c1']) expect(held(key)).toBeLessThanOrEqual(LIMITS.perKey);
    }
    for (const { work } of [...running, ...waiting]) work.end();
    expect(await Promise.all(results)).toEqual(asking.map(() => 'answered'));
  });

  it('are freed when the work fails', async () => {
    const slots = new Slots('queries', { ...LIMITS, total: 1 });
    const reader = { organizationId: 'a', apiKeyId: 'a1' };
    await expect(slots.run(reader, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.run(reader, () => Promise.resolve('answered'))).toBe('answered');
  });

  it('are refused after a while: 429 when a key or an organization exhausts its share, 503 when others exhaust the rest', async () => {
    const slots = new Slots('queries', { ...LIMITS, maxWaitMs: 20 });
    const begun = begin(slots, ['a1', 'a1', 'a1', 'a2', 'a2', 'b1', 'c1']);
    const refused = await Promise.all([2, 4, 6].map((index) => begun[index]!.result));
    expect(refused).toMatchObject([
      {
        status: 429,
        options: { headers: { 'retry-after': '5' } },
        message: expect.stringContaining('2 queries are processed at a time per API key'),
      },
      {
        status: 429,
        options: { headers: { 'retry-after': '5' } },
        message: expect.stringContaining('per organization'),
      },
      { status: 503, options: { headers: { 'retry-after': '5' } } },
    ]);
    expect([2, 4, 6].map((index) => begun[index]!.work.started)).toEqual([false, false, false]);
    for (const { work } of begun) work.end();
    await Promise.all(begun.map(({ result }) => result));
    // Work that was refused does not take a slot that frees up later.
    const later = begin(slots, ['a1', 'a1', 'a2', 'b1']);
    expect(later.map(({ work }) => work.started)).toEqual([true, true, true, true]);
    for (const { work } of later) work.end();
    await Promise.all(later.map(({ result }) => result));
  });

  it('go to the longest waiting, whatever the outcome of earlier work, when all work is alike', async () => {
    const slots = new Slots('tasks', { total: 1 });
    const done: string[] = [];
    const work = (name: string, fails = false) =>
      slots.run({}, async () => {
        await Promise.resolve();
        done.push(name);
        if (fails) throw new Error(name);
      });
    await Promise.allSettled([work('a', true), work('b'), work('c')]);
    await work('d');
    expect(done).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are awaited indefinitely by patient work, and never lost to work that has given up', async () => {
    const slots = new Slots('tasks', { total: 1, maxWaitMs: 20 });
    const first = new Work();
    const running = slots.run({}, first.run);
    const patient = slots.run({}, () => Promise.resolve('computed'), true);
    await expect(slots.run({}, () => Promise.resolve())).rejects.toMatchObject({ status: 503, code: 'not_ready' });
    expect(slots.waiting).toBe(1);
    first.end();
    await running;
    expect(await patient).toBe('computed');
    expect(await slots.run({}, () => Promise.resolve('stored'))).toBe('stored');
  });
});
