import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OutboundClient, type OutboundPolicy } from '../../src/connectors/outbound/outbound-client.js';

describe('outgoing requests of connectors', () => {
  let server: Server;
  let port: number;
  let reached = 0;
  const used = new WeakSet<Socket>();
  const clients: OutboundClient[] = [];
  beforeAll(async () => {
    server = createServer((request, reply) => {
      reached += 1;
      if (request.url === '/once' && used.has(request.socket)) return request.socket.destroy();
      used.add(request.socket);
      if (request.url === '/slow') return;
      if (request.url === '/trickle') {
        reply.write('x');
        return;
      }
      reply.writeHead(request.url === '/moved' ? 302 : 200, { location: 'http://127.0.0.1/' });
      reply.end(`${'\uFEFF'.repeat(Number(/\d$/.exec(request.url ?? '')?.[0] ?? 0))}hello`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
    reached = 0;
  });

  /** Asks a client whose DNS gives these answers in turn. */
  async function ask(
    url: string,
    policy: Partial<OutboundPolicy> = {},
    answers: LookupAddress[][] = [],
  ): Promise<string> {
    let asked = 0;
    const client = new OutboundClient({ privateRanges: [], plainHttp: true, ...policy }, (_name, done) => {
      done(null, answers[Math.min(asked, answers.length - 1)] ?? []);
      asked += 1;
    });
    clients.push(client);
    return client.send({ method: 'GET', url: new URL(url), headers: {} }).then(
      ({ status, body }) => `${status} ${body}`,
      (fault: { code: string }) => fault.code,
    );
  }
  const v4 = (address: string): LookupAddress => ({ address, family: 4 });
  const v6 = (address: string): LookupAddress => ({ address, family: 6 });

  it.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://017700000001:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://0.0.0.0:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://user:password@127.0.0.1:PORT/',
    'ftp://127.0.0.1:PORT/',
    'file:///etc/passwd',
  ])('do not go to %s', async (url) => {
    expect(await ask(url.replace('PORT', String(port)))).toBe('address_refused');
    expect(reached).toBe(0);
  });

  it.each([
    ['a private address', [v4('10.0.0.1'), v4('127.0.0.1')]],
    ['an IPv4-mapped IPv6 address', [v6('::ffff:127.0.0.1')]],
    ['the IPv6 loopback address', [v6('::1')]],
    ['metadata', [v4('169.254.169.254'), v6('fd00:ec2::254')]],
  ])('do not go to a name that resolves to %s', async (_what, answer) => {
    expect(await ask(`http://shop.example.com:${port}/`, {}, [answer])).toBe('address_refused');
    expect(reached).toBe(0);
  });

  it('treat a name without a public address as a platform that is temporarily down', async () => {
    const client = new OutboundClient({ privateRanges: [], plainHttp: true }, (_name, done) =>
      done(null, [v4('0.0.0.0')]),
    );
    clients.push(client);
    const asked = client.send({ method: 'GET', url: new URL('http://shop.example.com/'), headers: {} });
    await expect(asked).rejects.toMatchObject({ kind: 'closed', code: 'address_refused' });
  });

  it('go to the address that was checked, even if the name changes a moment later', async () => {
    const rebinding = [[v4('203.0.113.1')], [v4('127.0.0.1')]];
    expect(await ask(`http://rebind.example.com:${port}/`, {}, rebinding)).toBe('address_refused');
    // a name with both kinds of addresses is used by its public ones alone
    const mixed = [[v4('127.0.0.1'), v6('2606:4700::1111')]];
    expect(await ask(`http://mixed.example.com:${port}/`, { deadlineMs: 1_000 }, mixed)).toMatch(
      /^(unreachable|timed_out)$/,
    );
    expect(reached).toBe(0);
  });

  it('resolve the name once per connection, and connect to nothing else', async () => {
    const allowed = { privateRanges: ['127.0.0.1'] };
    const answers = [[v4('127.0.0.1')], [v4('10.0.0.1')]];
    expect(await ask(`http://erp.internal:${port}/`, allowed, answers)).toBe('200 hello');
    expect(await ask(`http://127.0.0.1:${port}/`, allowed)).toBe('200 hello');
    expect(await ask(`http://127.0.0.2:${port}/`, allowed)).toBe('address_refused');
  });

  it('require https unless configured otherwise', async () => {
    expect(await ask(`http://127.0.0.1:${port}/`, { privateRanges: ['127.0.0.1'], plainHttp: false })).toBe(
      'address_refused',
    );
  });

  it('follow no redirect', async () => {
    expect(await ask(`http://127.0.0.1:${port}/moved`, { privateRanges: ['127.0.0.1'] })).toBe('302 hello');
    expect(reached).toBe(1);
  });

  it.each([1, 2, 3])('skip byte order marks: %i', async (marks) => {
    expect(await ask(`http://127.0.0.1:${port}/marked-${marks}`, { privateRanges: ['127.0.0.1'] })).toBe('200 hello');
  });

  it.each(['slow', 'trickle'])('time out on a response that is %s', async (path) => {
    expect(await ask(`http://127.0.0.1:${port}/${path}`, { privateRanges: ['127.0.0.1'], deadlineMs: 300 })).toBe(
      'timed_out',
    );
  });

  it('are retried when a reused connection was closed, unless they change anything', async () => {
    const client = new OutboundClient({ privateRanges: ['127.0.0.1'], plainHttp: true });
    clients.push(client);
    const url = new URL(`http://127.0.0.1:${port}/once`);
    const send = (method: 'GET' | 'POST') => client.send({ method, url, headers: {} });
    for (const _ of ['on a connection', 'on the same, which is closed']) {
      expect(await send('GET')).toMatchObject({ status: 200, body: 'hello' });
    }
    expect(reached).toBe(3);
    await send('GET'); // leaves a connection open
    await expect(send('POST')).rejects.toMatchObject({ code: 'unreachable' });
    expect(reached).toBe(5);
  });

  it('report an unreachable server', async () => {
    expect(await ask('http://127.0.0.1:1/', { privateRanges: ['127.0.0.1'] })).toBe('unreachable');
  });
});
