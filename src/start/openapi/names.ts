import type { JsonSchema } from './schema.js';

/** The contents of these are data, which may have a title of its own. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum']);

/**
 * Moves inline schemas with a `title` to the components under that name: generated clients name an anonymous one after the first
 * route that happens to use it.
 * @param part of a document; not modified, since decorators return the same objects for every document
 * @param schemas the components, to which the titled ones are added
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
