import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../config/paths.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { listeningUrl, type ServiceProcess, startServiceProcess } from '../support/processes/service-process.js';

/** A URL: a space ends an option in NODE_OPTIONS, and the path of the project may have one. */
const SECOND_LOCALHOST = pathToFileURL(join(PROJECT_ROOT, 'test', 'support', 'processes', 'second-localhost.mjs')).href;
const BODY = '{"email":"a@example.com","password":"wrong"}';
const HEAD = `POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n`;

describe('shutdown', () => {
  let database: TestDatabase;
  let directory: string;
  let service: ServiceProcess;
  let port: number;
  beforeAll(async () => {
    database = await createTestDatabase();
    directory = mkdtempSync(join(tmpdir(), 'forecasting-stop-'));
  });
  afterAll(async () => {
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    const settings = { DATABASE_URL: database.url, DATA_DIR: directory, PORT: '0', DEMO: 'off' };
    service = startServiceProcess({ ...settings, ...environment });
    port = Number(new URL(await listeningUrl(service)).port);
  }
  /** A client that has sent the bytes and stays. */
  async function client(bytes: string, address = '127.0.0.1'): Promise<Socket> {
    const socket = connect(port, address);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  }
  /** Waits until what was sent on other connections before has been read. */
  const settled = () => fetch(`http://127.0.0.1:${port}/health/live`);

  it('waits for no idle client, and answers one about to send a request', async () => {
    await start();
    await client('');
    await client('GET /health/live HTTP/1.1\r\nhost: x\r\n');
    const asking = await client(HEAD + BODY.slice(0, 10));
    const reply = text(asking);
    await settled();
    const ended = service.end('SIGTERM');
    await eventually('it shuts down', () => Promise.resolve(service.output().includes('"stopping"') || undefined));
    asking.write(BODY.slice(10));
    expect((await reply).match(/HTTP\/1.1 \d+|connection: [\w-]+/gi)).toEqual(['HTTP/1.1 401', 'connection: close']);
    expect(await ended).toBe(0);
    expect(service.output()).not.toContain('cut off');
  });

  it('answers a client about to send on any address of localhost, and keeps no idle one', async () => {
    await start({ HOST: 'localhost', NODE_OPTIONS: `--import=${SECOND_LOCALHOST}` });
    await client('', '127.0.0.2');
    const asking = await client(HEAD + BODY.slice(0, 10), '127.0.0.2');
    const reply = text(asking);
    for (const address of ['127.0.0.1', '127.0.0.2']) {
      expect((await fetch(`http://${address}:${port}/health/live`)).status).toBe(200);
    }
    const ended = service.end('SIGTERM');
    await eventually('it shuts down', () => Promise.resolve(service.output().includes('"stopping"') || undefined));
    await sleep(1_000); // in which a service that waits for nobody is gone
    asking.write(BODY.slice(10));
    expect((await reply).match(/HTTP\/1.1 \d+|connection: [\w-]+/gi)).toEqual(['HTTP/1.1 401', 'connection: close']);
    expect(await ended).toBe(0);
    expect(service.output()).not.toContain('cut off');
  });

  it('is not triggered by a closing terminal that the service does not run in, and cuts off a client that does not finish its request', async () => {
    await start();
    service.process.kill('SIGHUP');
    const { status } = await settled();
    expect([status, service.output().includes('"stopping"')]).toEqual([200, false]);
    await client(HEAD + BODY.slice(0, 10));
    await settled();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(service.output()).not.toContain('SIGHUP');
    expect(service.output()).toContain('"connections":1,"msg":"requests in progress were aborted"');
  });
});
