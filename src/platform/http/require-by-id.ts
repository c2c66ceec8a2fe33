import { isId } from '../ids.js';
import { Problem } from './problem.js';

/**
 * What `find` finds by the id of a path. A malformed id, which the database would not take, is answered like an unknown one.
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
