import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { NotTaken, post, refusal } from './usage-reporter.js';

describe('an event for a metering service that does not respond', () => {
  /** Accepts connections and says nothing, not even to a handshake. */
  let server: Server;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const soon = AbortSignal.timeout(200);
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(soon);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });
  const failureOf = (scheme: string) =>
    post(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, {}, 'x').catch((error: unknown) => error);

  it('definitely did not arrive if no connection was made by then', async () => {
    expect(await failureOf('https')).toBeInstanceOf(NotTaken);
  });

  it('definitely did not arrive if only a proxy was asked to connect', async () => {
    const request = { method: 'CONNECT' };
    jest.spyOn(globalThis, 'fetch').mockImplementation(() => {
      for (const name of ['undici:request:create', 'undici:client:sendHeaders']) channel(name).publish({ request });
      return Promise.reject(new TypeError('fetch failed'));
    });
    expect(await failureOf('https')).toBeInstanceOf(NotTaken);
  });

  it('may have arrived if it was sent', async () => {
    const failure = await failureOf('http');
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(NotTaken);
  });
});

describe('a refusal of a metering service', () => {
  it('shows the beginning of the response without the secret, also where the cut would leave a part of it', async () => {
    const reply = () => new Response(`key sk_live_1, ${'x'.repeat(280)} sk_live_1`, { status: 401 });
    const { message } = await refusal('Stripe', reply(), 'sk_live_1');
    expect(message).toBe(`Stripe answered 401: key ********, ${'x'.repeat(280)} *****`);
    expect((await refusal('OpenMeter', reply(), undefined)).message).toContain('sk_live_1');
  });

  it.each([
    [400, true],
    [401, true],
    [408, false],
    [429, true],
    [500, false],
    [503, false],
  ])('with status %d tells for certain that the event did not arrive: %s', async (status, isNotTaken) => {
    expect((await refusal('Stripe', new Response('', { status }), 'x')) instanceof NotTaken).toBe(isNotTaken);
  });
});
