import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keepsSessions, NOTIFICATION_PATIENCE_MS } from '../../src/platform/database/connections/kept-sessions.js';
import { prepareDatabase } from '../../src/platform/database/setup/prepare-database.js';
import { withClient } from '../../src/platform/database/connections/with-client.js';
import { SCHEMA } from '../../src/schema.js';
import { createTestDatabase } from '../support/databases.js';

/** A message of PostgreSQL's protocol, version 3. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const int32 = (value: number): Buffer => Buffer.concat([int16(value >> 16), int16(value & 0xffff)]);
const READY = message('Z', Buffer.from('I'));
const COMPLETE = message('C', Buffer.from('SELECT 1\0'));
const GREETING = Buffer.concat([message('R', int32(0)), READY]);

/** A column `session` of type int4 with one row. */
function row(session: number): Buffer {
  const field = Buffer.concat([Buffer.from('session\0'), int32(0), int16(0), int32(23), int16(4), int32(-1), int16(0)]);
  const value = Buffer.from(String(session));
  return Buffer.concat([
    message('T', Buffer.concat([int16(1), field])),
    message('D', Buffer.concat([int16(1), int32(value.length), value])),
    COMPLETE,
    READY,
  ]);
}

describe('a transaction-mode pooler in front of the database', () => {
  let asked: string[];
  let pooler: Server;
  let url: string;
  beforeEach(async () => {
    asked = [];
    let connections = 0;
    pooler = createServer((socket: Socket) => {
      const session = (connections += 1);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(GREETING);
        socket.on('data', (sent) => {
          if (sent.toString('latin1', 0, 1) !== 'Q') return void socket.end();
          asked.push(sent.toString('utf8', 5, sent.length - 1));
          socket.write(asked.at(-1)!.startsWith('SELECT') ? row(session) : Buffer.concat([COMPLETE, READY]));
        });
      });
    }).listen(0, '127.0.0.1');
    await once(pooler, 'listening');
    url = `postgres://user@127.0.0.1:${(pooler.address() as AddressInfo).port}/forecasting`;
  });
  afterEach(() => void pooler.close());

  it('is refused before anything is set or locked, although connections happen to get the same session again', async () => {
    await expect(prepareDatabase(SCHEMA, url)).rejects.toThrow('does not keep sessions');
    expect(asked.map((sql) => sql.split(' ')[0])).toEqual(['LISTEN', 'NOTIFY']);
  });
});

describe('a database without a pooler', () => {
  it('is not mistaken for a pooler because it is slow to commit', async () => {
    const database = await createTestDatabase();
    try {
      const kept = await withClient(database.url, (client) => {
        const slow = Object.assign(Object.create(client) as typeof client, {
          query: async (sql: string) => {
            await sleep(NOTIFICATION_PATIENCE_MS + 500);
            return client.query(sql);
          },
        });
        return keepsSessions(slow, database.url);
      });
      expect(kept).toBe(true);
    } finally {
      await database.drop();
    }
  });
});
