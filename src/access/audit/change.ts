import { isDeepStrictEqual } from 'node:util';

/**
 * What an event records about a change: the members that differ, with their previous values.
 * @param after members as in the API; `before` has all of them
 * @returns undefined if nothing differs, which is not an event
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
