import { isDeepStrictEqual } from 'node:util';

/**
 * What an event tells of a change: the members that are not as they were, and what they were before.
 * @param after members of the API, of which `before` has all
 * @returns undefined where everything is as it was, which is no event
 */
export function changeBetween<T extends object>(
  before: T,
  after: Partial<T>,
): (Partial<T> & { readonly before: Partial<T> }) | undefined {
  const names = (Object.keys(after) as (keyof T)[]).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (names.length === 0) return undefined;
  const of = (state: Partial<T>): Partial<T> =>
    Object.fromEntries(names.map((name) => [name, state[name]])) as Partial<T>;
  return { ...of(after), before: of(before) };
}
