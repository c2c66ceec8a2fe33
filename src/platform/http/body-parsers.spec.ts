import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { registerBodyParsers } from './body-parsers.js';

const HEAD =
  'POST / HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n';

describe('a body that does not arrive', () => {
  let fastify: FastifyInstance;
  beforeEach(async () => {
    fastify = createFastify();
    registerBodyParsers(fastify, 300);
    fastify.post('/', (request) => Promise.resolve(request.body));
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => fastify.close());

  const open = () => connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');

  it('is answered 408 and its connection closed, though something of it keeps coming', async () => {
    const socket = open();
    socket.on('error', () => undefined); // what is still sent meets a closed connection
    socket.write(HEAD);
    const drip = setInterval(() => socket.write(' '), 50);
    const reply = await text(socket);
    clearInterval(drip);
    expect(reply).toMatch(/^HTTP\/1\.1 408 .*connection: close.*"code":"request_timeout"/s);
  });

  it('leaves one alone that comes slowly, and in time', async () => {
    const socket = open();
    socket.write(`${HEAD}{"a":`);
    setTimeout(() => socket.write(' 1  }'), 100);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*\{"a":1\}$/s);
  });
});
