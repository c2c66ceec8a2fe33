import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { registerBodyParsers } from '../../platform/http/bodies/body-parsers.js';
import { UPLOAD_PACE, UploadBody, type UploadPace } from './request-body.js';

describe('an upload body', () => {
  let fastify: FastifyInstance;
  afterEach(() => fastify.close());

  /** Sends half a body, 3 bytes. @param work called with each piece that is read */
  async function begin(
    pace: Partial<UploadPace>,
    work: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Socket> {
    fastify = createFastify();
    registerBodyParsers(fastify);
    fastify.post('/', { config: { streamBody: true } }, async (request) => {
      const body = new UploadBody(request, 1_000, { ...UPLOAD_PACE, ...pace });
      for await (const _piece of body) await work();
      return { bytes: body.byteCount };
    });
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-type: text/csv\r\ncontent-length: 6\r\n\r\nabc',
    );
    return socket;
  }

  it('is answered with 408 and a closed connection when it stalls', async () => {
    expect(await text(await begin({ stalledMs: 300 }))).toMatch(
      /^HTTP\/1\.1 408 .*No data was received.*"code":"request_timeout"/s,
    );
  });

  it('does not time out while received data is being processed', async () => {
    const begun = Promise.withResolvers<void>();
    let worked: Promise<void> | undefined;
    const socket = await begin({ stalledMs: 2_000, graceMs: 2_000 }, () => {
      begun.resolve();
      return (worked ??= sleep(2_500));
    });
    await begun.promise;
    socket.write('def');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*\{"bytes":6\}$/s);
  });

  /** The response to a client that sends a byte every 100 ms. */
  async function trickled(pace: Partial<UploadPace>): Promise<string> {
    const socket = await begin(pace);
    const trickle = setInterval(() => socket.write('d'), 100);
    socket.on('error', () => undefined); // expected once it is cut off
    try {
      return await text(socket);
    } finally {
      clearInterval(trickle);
    }
  }

  it('is answered with 408 and a closed connection when it is too slow after the grace period', async () => {
    const slow = /^HTTP\/1\.1 408 .*must average at least 16 kB per second.*"code":"request_timeout"/s;
    expect(await trickled({ graceMs: 150, bytesPerSecond: 40 })).toMatch(slow);
  });

  it('is accepted at the minimum rate', async () => {
    expect(await trickled({ graceMs: 150, bytesPerSecond: 1 })).toMatch(/^HTTP\/1\.1 200 .*\{"bytes":6\}$/s);
  });

  it('is answered with 408 after an hour, however fast it is', async () => {
    const long = /^HTTP\/1\.1 408 .*took more than an hour.*"code":"request_timeout"/s;
    expect(await trickled({ longestMs: 150 })).toMatch(long);
  });
});
