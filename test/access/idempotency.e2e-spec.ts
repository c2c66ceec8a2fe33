import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessCleaner } from '../../src/access/access-cleaner.js';
import { type ApiCaller, Idempotency, requestHash } from '../../src/access/index.js';
import type { Transaction } from '../../src/platform/database/database.js';
import { asTenant } from '../../src/platform/database/scope.js';
import { Problem } from '../../src/platform/http/problem.js';
import { createTenant } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('idempotency', () => {
  let service: TestService;
  let idempotency: Idempotency;
  let caller: ApiCaller;
  beforeAll(async () => {
    service = await startTestService();
    idempotency = service.app.get(Idempotency);
    const { organizationId } = await createTenant(service);
    const [key] = await service.database.query<{ id: string }>('SELECT id FROM api_keys WHERE organization_id = $1', [
      organizationId,
    ]);
    caller = {
      apiKeyId: key!.id,
      apiKeyName: 'test',
      organizationId,
      workspaceId: null,
      plan: 'growth',
      address: '127.0.0.1',
    };
    await service.database.execute('CREATE TABLE effects (note text)');
    await service.database.execute('GRANT ALL ON effects TO PUBLIC');
  });
  afterAll(() => service.close());

  /** As the handler of a request does. */
  const run: Idempotency['run'] = (...request) => asTenant(caller, () => idempotency.run(...request));
  const effect = (note: string) => async (tx: Transaction) => {
    await tx.execute('INSERT INTO effects VALUES ($1)', [note]);
    return { status: 202, headers: { location: `/effects/${note}` }, body: { note, b: 1, a: 2 } };
  };
  const effects = async (note: string) =>
    (await service.database.query('SELECT note FROM effects WHERE note = $1', [note])).length;
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: Problem) => error.code,
    );

  /** Retries like a client whose first request is still in progress, which happens on a busy machine. */
  const askingAgain = async <T>(send: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if ((error as Problem).code !== 'idempotency_key_in_use') throw error;
      }
    }
  };

  it('executes every request that has no key', async () => {
    for (const _ of [1, 2]) await run(caller, undefined, requestHash('note', {}), effect('keyless'));
    expect(await effects('keyless')).toBe(2);
  });

  it('has one effect for 100 concurrent requests, and replays status, headers and body to the others', async () => {
    const hash = requestHash('note', { x: 1 });
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => askingAgain(() => run(caller, 'storm', hash, effect('storm')))),
    );
    expect(await effects('storm')).toBe(1);
    expect(replies.filter((reply) => !reply.replayed)).toHaveLength(1);
    for (const reply of replies) {
      expect(JSON.stringify(reply.body)).toBe('{"note":"storm","b":1,"a":2}');
      expect(reply).toMatchObject({ status: 202, headers: { location: '/effects/storm' } });
    }
  });

  it('has one effect when two processes get the same request at once', async () => {
    const second = await startTestService({ database: { url: service.databaseUrl, drop: () => Promise.resolve() } });
    try {
      const hash = requestHash('note', {});
      const both = [idempotency, second.app.get(Idempotency)];
      const replies = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          askingAgain(() => asTenant(caller, () => both[index % 2]!.run(caller, 'two', hash, effect('two')))),
        ),
      );
      expect(await effects('two')).toBe(1);
      expect(replies.filter((reply) => reply.replayed)).toHaveLength(39);
    } finally {
      await second.close();
    }
  });

  it('refuses the key for another input or operation, but not for reordered members', async () => {
    await run(caller, 'reuse', requestHash('note', { a: 1, b: { c: 2, d: 3 } }), effect('reuse'));
    expect(await codeOf(run(caller, 'reuse', requestHash('note', { a: 2 }), effect('reuse')))).toBe(
      'idempotency_key_reused',
    );
    expect(await codeOf(run(caller, 'reuse', requestHash('other', { a: 1, b: { c: 2, d: 3 } }), effect('reuse')))).toBe(
      'idempotency_key_reused',
    );
    const same = await run(caller, 'reuse', requestHash('note', { b: { d: 3, c: 2 }, a: 1 }), effect('reuse'));
    expect(same.replayed).toBe(true);
    expect(await effects('reuse')).toBe(1);
  });

  it('does not replay a reply to another API key of the same organization', async () => {
    const [other] = await service.database.query<{ id: string }>(
      'SELECT id FROM api_keys WHERE organization_id = $1 AND id <> $2',
      [caller.organizationId, caller.apiKeyId],
    );
    const [mine, theirs] = [caller.apiKeyId, other!.id];
    const send = async (apiKeyId: string) => {
      const note = `shared ${apiKeyId}`;
      const { body, replayed } = await run({ ...caller, apiKeyId }, 'shared', requestHash('note', {}), effect(note));
      return [body.note, replayed];
    };
    expect([await send(mine), await send(theirs)]).toEqual([
      [`shared ${mine}`, false],
      [`shared ${theirs}`, false],
    ]);
    expect([await send(mine), await send(theirs)]).toEqual([
      [`shared ${mine}`, true],
      [`shared ${theirs}`, true],
    ]);
  });

  it('keeps no key of a failed request', async () => {
    const hash = requestHash('note', {});
    const failing = () => Promise.reject(new Problem(402, 'quota_exceeded', 'no'));
    expect(await codeOf(run(caller, 'failed', hash, failing))).toBe('quota_exceeded');
    expect((await run(caller, 'failed', hash, effect('failed'))).replayed).toBe(false);
  });

  it('returns 409 while the first request is in progress', async () => {
    const hash = requestHash('note', {});
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const slow = run(caller, 'slow', hash, async (tx) => {
      await tx.query('SELECT 1');
      begin();
      await finished;
      return { status: 200, headers: {}, body: null };
    });
    await begun; // before it holds the key, either of the others might be the first
    const inThisProcess = run(caller, 'slow', hash, effect('slow'));
    const inAnother = service.database.transaction((tx) =>
      idempotency.once(tx, { ...caller, key: 'slow' }, hash, () => effect('slow')(tx)),
    );
    const codes = await Promise.all([codeOf(inThisProcess), codeOf(inAnother)]);
    expect(codes).toEqual(['idempotency_key_in_use', 'idempotency_key_in_use']);
    finish();
    await slow;
    expect((await run(caller, 'slow', hash, effect('slow'))).replayed).toBe(true);
  });

  it('leaves no key behind when the process dies midway', async () => {
    const client = await service.database.pool.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO idempotency_keys (api_key_id, key, organization_id, request_hash, expires_at) VALUES ($1, 'crash', $2, 'x', now() + interval '1 day')`,
      [caller.apiKeyId, caller.organizationId],
    );
    client.release(true); // the connection breaks, as at a crash
    expect((await run(caller, 'crash', requestHash('note', {}), effect('crash'))).replayed).toBe(false);
  });

  it('forgets a key after 24 hours', async () => {
    await run(caller, 'old', requestHash('note', {}), effect('old'));
    const [kept] = await service.database.query<{ seconds: number }>(
      `SELECT extract(epoch FROM expires_at - now())::float AS seconds FROM idempotency_keys WHERE key = 'old'`,
    );
    expect(Math.abs(kept!.seconds - 24 * 3600)).toBeLessThan(60);
    const expire = () =>
      service.database.execute(
        `UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = 'old'`,
      );
    await expire();
    expect((await run(caller, 'old', requestHash('note', { other: true }), effect('old'))).replayed).toBe(false);

    await run(caller, 'young', requestHash('note', {}), effect('young'));
    await expire();
    await service.app.get(AccessCleaner).clean();
    const left = `SELECT key FROM idempotency_keys WHERE key IN ('old', 'young')`;
    expect(await service.database.query(left)).toEqual([{ key: 'young' }]);
  });
});
