import { isDay } from '../platform/http/rules/calendar-day.js';
import { Problem } from '../platform/http/problem.js';
import { isId } from '../platform/ids.js';
import type { Expression, Literal } from './language/ast.js';
import { notImplemented } from './language/option-fault.js';
import { takeLiteral } from './language/parse-expression.js';
import { TokenStream } from './language/token-stream.js';
import type { EntitySet } from './model/entity-set.js';
import { ENTITY_SETS, findEntitySet } from './model/model.js';
import { WORKSPACES } from './model/workspaces.queries.js';

/** What a segment of the path names: a set, or one entity of it by its key. */
export interface Resource {
  readonly set: EntitySet;
  /** A condition on the key; absent for the whole set. */
  readonly key?: Expression;
  /** The workspace named by the entity's key, in the set of workspaces: API keys of another workspace get an error of their own. */
  readonly workspaceId?: string;
  /** The segment as written in URLs. */
  readonly segment: string;
}

/**
 * `Series`, `Series(guid)` or `Forecasts(run_id=guid,series_id=guid,ds=2026-12-01)`.
 * @param kind the required kind; either if absent
 * @throws {Problem} 404 for what does not exist, including malformed keys; 501 for `$batch` and the like
 */
export function parseResource(segment: string, kind?: 'set' | 'entity'): Resource {
  if (segment.startsWith('$')) {
    const hint = segment.toLowerCase() === '$metadata' ? 'use $metadata' : undefined;
    throw notImplemented(`the resource ${segment.slice(0, 40)}`, hint);
  }
  const name = /^\w+/.exec(segment)?.[0] ?? '';
  const set = findEntitySet(name);
  if (!set) throw noSuchSet(name);
  const named = segment === name ? 'set' : 'entity';
  if (kind !== undefined && kind !== named) throw Problem.notFound('resource');
  if (named === 'set') return { set, segment };
  const given = givenKey(set, segment.slice(name.length));
  const id = given.get('id')?.text;
  return {
    set,
    segment,
    key: keyCondition(set, given),
    ...(set === WORKSPACES && id !== undefined ? { workspaceId: id } : {}),
  };
}

function noSuchSet(name: string): Problem {
  const names = ENTITY_SETS.map((known) => known.name);
  const meant = names.find((known) => known.toLowerCase() === name.toLowerCase());
  return new Problem(
    404,
    'not_found',
    `The set does not exist; ${meant ? `use ${meant}` : `the feed has ${names.join(', ')}`}.`,
  );
}

function givenKey(set: EntitySet, predicate: string): Map<string, Literal> {
  try {
    return readPredicate(set, predicate);
  } catch {
    throw Problem.notFound('resource'); // a malformed key is answered like one that no entity has
  }
}

function keyCondition(set: EntitySet, given: ReadonlyMap<string, Literal>): Expression {
  const conditions = set.key.map((name): Expression => {
    const value = given.get(name);
    const type = set.properties.find((property) => property.name === name)?.type;
    const fits = value && (type === 'Edm.Guid' ? value.type === 'guid' && isId(value.text) : isDate(value));
    if (!fits || given.size !== set.key.length) throw Problem.notFound('resource');
    return { kind: 'binary', operator: 'eq', left: { kind: 'path', segments: [name], at: 0 }, right: value, at: 0 };
  });
  return conditions.reduce((left, right) => ({ kind: 'binary', operator: 'and', left, right, at: 0 }));
}

const isDate = ({ type, text }: Literal): boolean => type === 'date' && isDay(text);

function readPredicate(set: EntitySet, predicate: string): Map<string, Literal> {
  const stream = new TokenStream('key', predicate);
  stream.expect('(');
  const literal = takeLiteral(stream);
  const given = literal ? [[set.key[0], literal] as const] : stream.list(() => namedValue(stream));
  stream.expect(')');
  stream.expectEnd();
  return new Map(given);
}

function namedValue(stream: TokenStream): readonly [string, Literal] {
  const { text } = stream.expectName('a key property');
  stream.expect('=');
  const literal = takeLiteral(stream);
  if (!literal) throw stream.unexpected('expected a constant');
  return [text, literal];
}
