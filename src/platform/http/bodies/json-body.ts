import { isUtf8 } from 'node:buffer';
import { messageOf } from '../../faults.js';
import { Problem } from '../problem.js';

/** Maximum number of values in a body, including nested ones: the longest list that a route accepts has 10,000. */
const MAX_VALUES = 20_000;
/** Maximum number of members of an object: validating one takes time quadratic in their number. */
const MAX_MEMBERS = 1_000;

/** Members that the validation pipe and class-transformer drop silently. */
const DROPPED = ['__proto__', 'constructor', 'prototype'];

/** The body is refused; the caller gets the message. */
class Refused extends Error {}

/**
 * Parses the JSON of a body that is small enough to be validated in milliseconds: other requests wait meanwhile.
 * @throws {Problem} 400 naming `body`
 */
export function parseJsonBody(bytes: Buffer): unknown {
  let values = 0;
  try {
    // toString() would silently replace invalid bytes with U+FFFD
    if (!isUtf8(bytes)) throw new Refused('is not valid UTF-8');
    const body: unknown = JSON.parse(textOf(bytes), (key, value: unknown) => {
      if (DROPPED.includes(key)) throw new Refused(`must not have a member named ${key}`);
      values += 1;
      if (values > MAX_VALUES) throw new Refused(`must not contain more than ${MAX_VALUES} values`);
      if (membersOf(value) > MAX_MEMBERS)
        throw new Refused(`must not contain more than ${MAX_MEMBERS} members in one object`);
      return value;
    });
    // validation would take null for a missing body, a list for an object with members 0, 1, 2 …, and a string for an empty one
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refused('must be a JSON object');
    return body;
  } catch (error) {
    const message = error instanceof Refused ? error.message : `is not valid JSON${placeOf(messageOf(error))}`;
    throw Problem.invalid([{ param: 'body', message }]);
  }
}

/** Strips the byte order mark that PowerShell and .NET write, which JSON does not allow (RFC 8259, 8.1). */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function membersOf(value: unknown): number {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : 0;
}

/** The position of a syntax error, from V8's message. The full message would quote the text, which may be a password. */
function placeOf(message: string): string {
  const place = /at position \d+ \(line \d+ column \d+\)/.exec(message)?.[0];
  return place === undefined ? '' : ` ${place}`;
}
