import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BLOCK_SERIES } from '../../src/series/upload/series-dictionary.js';
import { createTenant } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { upload, type UploadReply } from './uploads.js';

const MEGABYTE = 1_048_576;
const ROWS = Array.from({ length: 3 * BLOCK_SERIES }, (_, i) => `SERIES-NUMBER-${i},2026-01,1\n`).join('');
const CSV = `unique_id,ds,y\n${ROWS}`;

describe('an upload during which the database fails', () => {
  let service: TestService;
  let send: (body: string | Buffer, headers?: Record<string, string>) => Promise<UploadReply>;

  beforeEach(async () => {
    service = await startTestService({ environment: { MAX_UPLOAD_MB: '16' } });
    const tenant = await createTenant(service);
    // no temporary tables: the first block cannot be staged, and half of the body is not read yet
    const database = new URL(service.databaseUrl).pathname.slice(1);
    await service.database.execute(`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
    send = (body, headers = {}) =>
      upload(`${service.url}/api/v1/actuals`, body, {
        'x-api-key': tenant.workspaceKey,
        'content-type': 'text/csv',
        ...headers,
      });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Resolves once the body of the next request has come to its end, which may be after the reply. */
  const nextBodyEnds = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const server = service.app.getHttpServer();
      server.once('request', (request) => void finished(request, { writable: false }).then(resolve, reject));
    });

  const expectFailureAndStop = async (reply: UploadReply): Promise<void> => {
    expect(reply).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    const before = performance.now();
    await service.close();
    expect(performance.now() - before).toBeLessThan(30_000); // what stalls is waited for for a minute
  };

  it('is answered, and its connection does not delay shutdown', async () => {
    await expectFailureAndStop(await send(CSV));
  });

  it('is answered, and the service continues, even if its gzip is cut off', async () => {
    const emitted = jest.spyOn(Object.getPrototypeOf(createGunzip()) as NodeJS.EventEmitter, 'emit');
    const whole = gzipSync(CSV);
    const ended = nextBodyEnds();
    const reply = await send(whole.subarray(0, whole.length - 1000), { 'content-encoding': 'gzip' });
    await ended;
    await sleep(500); // in which its end would be decompressed
    expect(emitted.mock.calls.filter(([event]) => event === 'error')).toEqual([]); // nobody listens any more
    await expectFailureAndStop(reply);
  });

  it('is not decompressed further, whatever its gzip contains', async () => {
    const inflated = jest.spyOn(
      Object.getPrototypeOf(createGunzip()) as { push(chunk: Buffer | null): boolean },
      'push',
    );
    const zeros = Buffer.alloc(200 * MEGABYTE);
    const body = Buffer.concat([gzipSync(CSV), gzipSync(zeros)]);
    const ended = nextBodyEnds();
    const reply = await send(body, { 'content-encoding': 'gzip' });
    await ended;
    await sleep(1_000); // in which more would be decompressed
    const bytes = inflated.mock.calls.reduce((sum, [chunk]) => sum + (chunk?.length ?? 0), 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(16 * MEGABYTE);
    await expectFailureAndStop(reply);
  });
});
