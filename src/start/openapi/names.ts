import type { JsonSchema } from './schema.js';

/** What stands in these is data, which may have a title of its own. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum']);

/**
 * Gives schemas that are written where they are used and have a `title` a place of their own, under that name: generated
 * clients call a nameless one after the route that happens to use it first.
 * @param part of a document; left as it is, since decorators hand out the same objects for every document
 * @param schemas the components, which the titled ones are added to
 * @returns the part with references in their place
 */
export function nameTitled<Part>(part: Part, schemas: Record<string, JsonSchema>): Part;
export function nameTitled(part: unknown, schemas: Record<string, JsonSchema>): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((item) => nameTitled(item as unknown, schemas));
  const { title, ...rest } = part as { title?: unknown };
  const named = Object.fromEntries(
    Object.entries(typeof title === 'string' ? rest : part).map(([name, value]: [string, unknown]) => [
      name,
      DATA.has(name) ? value : nameTitled(value, schemas),
    ]),
  );
  if (typeof title !== 'string') return named;
  schemas[title] = named;
  return { $ref: `#/components/schemas/${title}` };
}
