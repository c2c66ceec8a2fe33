import { isUtf8 } from 'node:buffer';
import { messageOf } from '../faults.js';
import { Problem } from './problem.js';

/** Values that a body may hold, those within others too: the longest list that a route takes has 10,000. */
const MOST_VALUES = 20_000;
/** Members that an object may have: to validate one takes time with the square of their number. */
const MOST_MEMBERS = 1_000;

/** What is JSON, and yet refused; the caller is told why. */
class Refused extends Error {}

/**
 * The JSON of a body, small enough to be validated in milliseconds: other requests wait meanwhile.
 * @throws {Problem} 400 naming `body`
 */
export function parseJsonBody(bytes: Buffer): unknown {
  let values = 0;
  try {
    // decoding would put U+FFFD for what is not, in silence
    if (!isUtf8(bytes)) throw new Refused('is not valid UTF-8');
    const body: unknown = JSON.parse(textOf(bytes), (key, value: unknown) => {
      // class-transformer would leave these out in silence
      if (key === '__proto__' || key === 'constructor') throw new Refused(`may not have a member called ${key}`);
      values += 1;
      if (values > MOST_VALUES) throw new Refused(`may not hold more than ${MOST_VALUES} values`);
      if (membersOf(value) > MOST_MEMBERS)
        throw new Refused(`may not hold more than ${MOST_MEMBERS} members in one object`);
      return value;
    });
    // validation would take null for a body that was left out, and a list for an object with members 0, 1, 2 …
    if (body === null || Array.isArray(body)) throw new Refused('must be a JSON object');
    return body;
  } catch (error) {
    const message = error instanceof Refused ? error.message : `is not valid JSON${placeOf(messageOf(error))}`;
    throw Problem.invalid([{ param: 'body', message }]);
  }
}

/** Without the byte order mark that PowerShell and .NET put in front, and that JSON does not know (RFC 8259, 8.1). */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function membersOf(value: unknown): number {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : 0;
}

/** Where JSON is wrong. Not V8's whole message: it quotes the text, which may be a password. */
function placeOf(message: string): string {
  const place = /at position \d+ \(line \d+ column \d+\)/.exec(message)?.[0];
  return place === undefined ? '' : ` ${place}`;
}
