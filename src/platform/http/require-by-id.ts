import { isId } from '../ids.js';
import { Problem } from './problem.js';

/**
 * What `find` returns for the id in a path. A malformed id, which the database would reject, gets the same response as an unknown
 * one.
 * @param what its name in the refusal
 * @throws {Problem} 404
 */
export async function requireById<Found>(
  what: string,
  id: string,
  find: (id: string) => Promise<Found | undefined>,
): Promise<Found> {
  const found = isId(id) ? await find(id) : undefined;
  if (found === undefined) throw Problem.notFound(what);
  return found;
}
