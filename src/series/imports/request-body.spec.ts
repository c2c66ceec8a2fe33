import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { registerBodyParsers } from '../../platform/http/body-parsers.js';
import { UploadBody } from './request-body.js';

describe('the body of an upload', () => {
  let fastify: FastifyInstance;
  /** Milliseconds that the reader takes for each piece. */
  let work: number;
  beforeEach(async () => {
    work = 0;
    fastify = createFastify();
    registerBodyParsers(fastify);
    fastify.post('/', { config: { streamBody: true } }, async (request) => {
      const body = new UploadBody(request, 1_000, 300);
      for await (const _piece of body) await new Promise((resolve) => setTimeout(resolve, work));
      return { bytes: body.byteCount };
    });
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => fastify.close());

  function begin() {
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-type: text/csv\r\ncontent-length: 6\r\n\r\nabc',
    );
    return socket;
  }

  it('that stops coming is answered 408, and its connection closed', async () => {
    expect(await text(begin())).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  });

  it('is waited for while what came is worked on', async () => {
    work = 500;
    const socket = begin();
    setTimeout(() => socket.write('def'), 600);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*\{"bytes":6\}$/s);
  });
});
