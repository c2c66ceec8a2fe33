import { isDeepStrictEqual } from 'node:util';
import type { Dice } from './dice.js';
import type { Model } from './model.js';
import type { Call, Caller, Reply } from './world.js';

/** A call, and what the model says of its reply. */
export interface Operation extends Call {
  /** Changes the model as the reply tells. @throws {Refuted} where the model has no such reply */
  readonly judge: (model: Model, reply: Reply) => void;
}

/** Makes an operation about something that the model holds; undefined where it holds no such thing. */
export type Maker = (model: Model, dice: Dice, cast: Cast) => Operation | undefined;

/** Who takes part, whatever their roles are at the moment. */
export interface Cast {
  readonly users: readonly User[];
  readonly operator: Caller;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly caller: Caller;
  /** The organization to which the user belonged at first, if to any. */
  readonly home: string | null;
}

/** The service has answered what the model does not. */
export class Refuted extends Error {}

/** @param instead the answer to a call that was admitted before the one beside it which stands in its way */
export type Refusal = readonly [status: number, code: string, instead?: Refusal];

export const NOT_FOUND: Refusal = [404, 'not_found'];

export function must(condition: boolean, why: string): asserts condition {
  if (!condition) throw new Refuted(why);
}

export function same(actual: unknown, expected: unknown, what: string): void {
  must(isDeepStrictEqual(actual, expected), `${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

/** @returns whether the call had to be refused, as it then was */
export function refused(reply: Reply, refusal: Refusal | undefined): refusal is Refusal {
  if (refusal) {
    const [status, code, instead] = refusal;
    const returned = [reply.status, reply.code];
    if (!isDeepStrictEqual(returned, instead)) same(returned, [status, code], 'refusal');
  }
  return refusal !== undefined;
}

export function succeeded(reply: Reply, status: number): void {
  must(reply.status === status, `${reply.status}, not ${status}: ${JSON.stringify(reply.body)}`);
}

export const idIn = (reply: Reply): string => String(reply.body['id']);
