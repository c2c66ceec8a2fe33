import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RealService, startRealService } from '../support/processes/real-service.js';
import { eventually } from '../support/eventually.js';

interface Line {
  readonly msg: string;
  readonly route?: string;
  readonly status?: number | null;
  readonly aborted?: boolean;
}

describe('the request log', () => {
  let service: RealService;
  beforeAll(async () => {
    service = await startRealService({});
  });
  afterAll(() => service.close());

  const requests = (route: string): Line[] =>
    service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.msg === 'request' && line.route === route);

  it('tells of no port of metrics, which only a setting opens', async () => {
    expect(service.output()).not.toContain('serving metrics');
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });

  it('has one line per request, and marks one whose client disconnected', async () => {
    const body = '{"email":"a@example.com","password":"wrong"}';
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.end(
      `POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      () => socket.destroy(), // long before the password is checked
    );
    await eventually('the line of the request', () => Promise.resolve(requests('/auth/login')[0]));
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${service.url}/auth/login`, { method: 'POST', headers, body })).status).toBe(401);
    await eventually('the line of the next request', () => Promise.resolve(requests('/auth/login')[1]));
    const [aborted, answered, ...more] = requests('/auth/login');
    expect(aborted).toMatchObject({ status: null, aborted: true });
    expect(answered).toMatchObject({ status: 401 });
    expect(answered).not.toHaveProperty('aborted');
    expect(more).toEqual([]);
  });
});
