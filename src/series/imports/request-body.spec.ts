import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { registerBodyParsers } from '../../platform/http/body-parsers.js';
import { UploadBody } from './request-body.js';

describe('the body of an upload', () => {
  let fastify: FastifyInstance;
  afterEach(() => fastify.close());

  /** Sends half a body. @param work what the reader does with each piece */
  async function begin(stalledMs: number, work: () => Promise<unknown> = () => Promise.resolve()): Promise<Socket> {
    fastify = createFastify();
    registerBodyParsers(fastify);
    fastify.post('/', { config: { streamBody: true } }, async (request) => {
      const body = new UploadBody(request, 1_000, stalledMs);
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

  it('that stops coming is answered 408, and its connection closed', async () => {
    expect(await text(await begin(300))).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  });

  it('is waited for while what came is worked on', async () => {
    const begun = Promise.withResolvers<void>();
    let worked: Promise<void> | undefined;
    const socket = await begin(2_000, () => {
      begun.resolve();
      return (worked ??= sleep(2_500));
    });
    await begun.promise;
    socket.write('def');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*\{"bytes":6\}$/s);
  });
});
