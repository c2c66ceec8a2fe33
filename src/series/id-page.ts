import { decodeCursor, type Page } from '../platform/http/pagination.js';
import { Problem } from '../platform/http/problem.js';
import { isId } from '../platform/ids.js';

/** The id a page begins after. @throws {Problem} 400 naming `cursor` */
export function pageStart(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [id = ''] = decodeCursor(cursor, 1);
  if (!isId(id))
    throw Problem.invalid([{ param: 'cursor', message: 'must be a cursor taken from a Link header of this list' }]);
  return id;
}

/** A page out of one item more than it takes, which shows whether another page follows. */
export function pageOf<Item extends { readonly id: string }>(items: readonly Item[], limit: number): Page<Item> {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return items.length > limit && last ? { items: page, next: [last.id] } : { items: page };
}
