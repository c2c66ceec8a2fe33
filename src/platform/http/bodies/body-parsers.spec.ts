import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { registerBodyParsers } from './body-parsers.js';

const head = (length: number): string =>
  `POST / HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

describe('a body that does not arrive', () => {
  let fastify: FastifyInstance;
  afterEach(() => fastify.close());

  /** A connection to a server that requires bodies to arrive within `arrivalMs`. */
  async function open(arrivalMs: number): Promise<Socket> {
    fastify = createFastify();
    registerBodyParsers(fastify, arrivalMs);
    fastify.post('/', (request) => Promise.resolve(request.body));
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    return connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
  }

  it('is answered with 408 and a closed connection, even if bytes keep trickling in', async () => {
    const socket = await open(300);
    let reply = '';
    socket.on('data', (bytes: Buffer) => (reply += bytes.toString()));
    socket.on('error', () => undefined); // later writes hit a closed connection
    socket.write(head(1_000_000)); // more than any machine will send in time
    const drip = setInterval(() => socket.write(' '), 50);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
    expect(reply).toMatch(/^HTTP\/1\.1 408 .*connection: close.*"code":"request_timeout"/s);
  });

  it('is not cut off when it is slow but in time', async () => {
    const socket = await open(60_000);
    socket.write(`${head(10)}{"a":`);
    setTimeout(() => socket.write(' 1  }'), 100);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*\{"a":1\}$/s);
  });
});

describe('a compressed body', () => {
  it('is refused as unsupported when a route takes JSON, not as malformed', async () => {
    const fastify = createFastify();
    registerBodyParsers(fastify);
    fastify.post('/', ({ body, bodyFault }) =>
      Promise.resolve(bodyFault === undefined ? body : { code: bodyFault.code, status: bodyFault.status }),
    );
    const send = async (encoding: string, payload: string | Buffer): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      return (await fastify.inject({ method: 'POST', url: '/', headers, payload })).json();
    };
    const refused = { status: 415, code: 'unsupported_media_type' };
    expect(await send('gzip', gzipSync('{"a":1}'))).toMatchObject(refused);
    expect(await send('br', '{"a":1}')).toMatchObject(refused);
    expect(await send('Identity', '{"a":1}')).toEqual({ a: 1 });
    await fastify.close();
  });
});

describe('a form-encoded body', () => {
  it('is ignored when empty and refused otherwise', async () => {
    const fastify = createFastify();
    registerBodyParsers(fastify);
    fastify.post('/', ({ body, bodyFault }) =>
      Promise.resolve({ body: body ?? null, fault: bodyFault?.status ?? null }),
    );
    const send = async (payload: string): Promise<unknown> => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': `${payload.length}` };
      return (await fastify.inject({ method: 'POST', url: '/', headers, payload })).json();
    };
    expect(await send('')).toEqual({ body: null, fault: null });
    expect(await send('a=1')).toEqual({ body: null, fault: 415 });
    await fastify.close();
  });
});
