import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { listeningUrl, type ServiceProcess, startServiceProcess } from '../support/processes/service-process.js';

/** Milliseconds until a connection of the queue goes on, as on a machine that is overloaded. */
const SLOW = 3_500;

describe('a start', () => {
  let database: TestDatabase;
  let directory: string;
  let way: Server | undefined;
  let service: ServiceProcess | undefined;
  beforeEach(async () => {
    database = await createTestDatabase();
    directory = mkdtempSync(join(tmpdir(), 'forecasting-queue-'));
  });
  afterEach(async () => {
    await service?.end('SIGTERM');
    way?.close();
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Starts the service with a way to its database on which connections of the queue, told by their first message, fare as given. */
  async function start(role: string, fare: (near: Socket) => Promise<unknown>): Promise<ServiceProcess> {
    const url = new URL(database.url);
    const { port, hostname } = url;
    way = createServer((near) => {
      near.on('error', () => undefined);
      near.once('data', (greeting: Buffer) => {
        near.pause();
        void (greeting.includes('-queue\0') ? fare(near) : Promise.resolve()).then(() => {
          if (near.destroyed) return;
          const far = connect(Number(port), hostname);
          far.on('error', () => near.destroy());
          far.write(greeting);
          near.pipe(far).pipe(near);
        });
      });
    });
    way.listen(0, '127.0.0.1');
    await once(way, 'listening');
    url.port = String((way.address() as AddressInfo).port);
    const environment = { DATABASE_URL: url.href, DATA_DIR: directory, PORT: '0', DEMO: 'off', WORKER_THREADS: '1' };
    return startServiceProcess(environment, ['--role', role]);
  }

  it('waits for a queue that takes seconds to connect', async () => {
    let slow = 0;
    service = await start('all', () => sleep(SLOW, (slow += 1)));
    const url = await listeningUrl(service);
    expect(slow).toBeGreaterThan(0);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('ends with instructions when the queue is unreachable, even if it is for sending wake-ups only', async () => {
    service = await start('api', (near) => Promise.resolve(near.destroy()));
    const { process } = service;
    expect(await once(process, 'close')).toEqual([1, null]); // of its output too, which may come after its end
    expect(service.output()).toMatch(
      /cannot start: lost the connection to the database \(.+\); start again when it is available\n$/,
    );
  });
});
