import type { FastifyInstance } from 'fastify';

/** Which methods each path takes: the router itself only tells that there is no route for this method. */
export class AllowedMethods {
  private readonly methods = new Map<string, Set<string>>();

  /** Follows the routes of this instance, those registered from here on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      const known = this.methods.get(url) ?? new Set();
      for (const name of [method].flat()) known.add(name);
      this.methods.set(url, known);
    });
  }

  /**
   * @param path of a request, without the query
   * @returns the methods of the routes that the path fits, in order; none where the path is of no route
   */
  of(path: string): readonly string[] {
    const fitting = [...this.methods].filter(([pattern]) => fits(path.split('/'), pattern.split('/')));
    return [...new Set(fitting.flatMap(([, methods]) => [...methods]))].toSorted();
  }
}

/** Parameters take a whole segment; a wildcard, which comes last, takes the rest. */
function fits(path: readonly string[], pattern: readonly string[]): boolean {
  if (pattern.at(-1) === '*') return fits(path.slice(0, pattern.length - 1), pattern.slice(0, -1));
  if (path.length !== pattern.length) return false;
  return pattern.every((part, at) => (part.startsWith(':') ? path[at] !== '' : part === path[at]));
}
