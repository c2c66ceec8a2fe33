import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareDatabase } from '../../src/platform/database/prepare-database.js';
import { SCHEMA } from '../../src/schema.js';

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

describe('a pooler in front of the database', () => {
  /** Numbers of the sessions that queries come to, in their order; the last serves all that follow. */
  let sessions: number[];
  let asked: string[];
  let pooler: Server;
  let url: string;
  beforeEach(async () => {
    asked = [];
    pooler = createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(GREETING);
        socket.on('data', (sent) => {
          if (sent.toString('latin1', 0, 1) !== 'Q') return void socket.end();
          asked.push(sent.toString('utf8', 5, sent.length - 1));
          socket.write(row(sessions.length > 1 ? sessions.shift()! : sessions[0]!));
        });
      });
    }).listen(0, '127.0.0.1');
    await once(pooler, 'listening');
    url = `postgres://user@127.0.0.1:${(pooler.address() as AddressInfo).port}/forecasting`;
  });
  afterEach(() => void pooler.close());

  it.each([
    ['two connections share a session', [7]],
    ['a connection is put into another session', [7, 8, 9]],
  ])('is refused where %s, before anything is set or locked there', async (_, given) => {
    sessions = given;
    await expect(prepareDatabase(SCHEMA, url)).rejects.toThrow('keeps no sessions');
    expect(new Set(asked)).toEqual(new Set(['SELECT pg_backend_pid() AS session']));
  });
});
