import { isUtf8 } from 'node:buffer';
import { messageOf } from '../faults.js';
import { Problem } from './problem.js';

/** Most values in a body, nested ones included: the longest list that a route takes has 10,000. */
const MOST_VALUES = 20_000;
/** Most members of an object: the time to validate one grows with the square of their number. */
const MOST_MEMBERS = 1_000;

/** Members that the validation pipe and class-transformer drop without a word. */
const DROPPED = ['__proto__', 'constructor', 'prototype'];

/** A body that is refused for a reason that the caller is told. */
class Refused extends Error {}

/**
 * The JSON of a body, small enough to be validated in milliseconds: other requests wait meanwhile.
 * @throws {Problem} 400 naming `body`
 */
export function parseJsonBody(bytes: Buffer): unknown {
  let values = 0;
  try {
    // toString() would silently replace invalid bytes by U+FFFD
    if (!isUtf8(bytes)) throw new Refused('is not valid UTF-8');
    const body: unknown = JSON.parse(textOf(bytes), (key, value: unknown) => {
      if (DROPPED.includes(key)) throw new Refused(`must not have a member named ${key}`);
      values += 1;
      if (values > MOST_VALUES) throw new Refused(`must not contain more than ${MOST_VALUES} values`);
      if (membersOf(value) > MOST_MEMBERS)
        throw new Refused(`must not contain more than ${MOST_MEMBERS} members in one object`);
      return value;
    });
    // validation would take null for a missing body, a list for an object with members 0, 1, 2 …, and a text for one with none
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refused('must be a JSON object');
    return body;
  } catch (error) {
    const message = error instanceof Refused ? error.message : `is not valid JSON${placeOf(messageOf(error))}`;
    throw Problem.invalid([{ param: 'body', message }]);
  }
}

/** Drops the byte order mark that PowerShell and .NET write, which JSON does not allow (RFC 8259, 8.1). */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function membersOf(value: unknown): number {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : 0;
}

/** Where the JSON is wrong, out of V8's message. The whole message would quote the text, which may be a password. */
function placeOf(message: string): string {
  const place = /at position \d+ \(line \d+ column \d+\)/.exec(message)?.[0];
  return place === undefined ? '' : ` ${place}`;
}
