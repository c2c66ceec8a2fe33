import { isId } from '../ids.js';
import { Problem } from './problem.js';

/**
 * What `find` returns for the id in a path. A malformed id, which the database would reject, gets the same response as an unknown
 * one.
 * @param what its name in the refusal
 * @param where a sentence on where the caller finds existing ones
 * @throws {Problem} 404
 */
export async function requireById<Found>(
  what: string,
  id: string,
  find: (id: string) => Promise<Found | undefined>,
  where?: string,
): Promise<Found> {
  const found = isId(id) ? await find(id) : undefined;
  if (found === undefined) throw Problem.notFound(what, where);
  return found;
}
