import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUnderODataRoot } from '../odata.js';
import { pathOf } from './path-of.js';
import { Problem } from '../problem.js';

const NONE: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/** Knows which methods each path supports, for 405 replies: the router only reports that no route matches. */
export class AllowedMethods {
  private readonly methods = new Map<string, Set<string>>();
  private readonly named = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

  /** Records the routes registered on this instance from here on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      const known = this.methods.get(url) ?? new Set();
      for (const name of [method].flat()) known.add(name);
      this.methods.set(url, known);
    });
  }

  /** The refusal of a request that matches no route: the path is unknown, or known with another method. */
  unrouted(request: FastifyRequest): Problem {
    const path = pathOf(request.url);
    const fitting = [...this.methods].filter(([pattern]) => fits(path.split('/'), pattern.split('/')));
    const [, methods] = fitting.toSorted(([a], [b]) => parametersOf(a) - parametersOf(b))[0] ?? [];
    // a route that serves files matches every path below it, whether or not a file exists
    return methods && !methods.has(request.method) ? wrongMethod(request, methods) : unknownPath(path);
  }

  /**
   * The refusal of a request for the path of a named route (`…/members/me`) with a method that it lacks. The router then matches a
   * route with a parameter in that place and takes the name for its value.
   */
  misrouted(request: FastifyRequest): Problem | undefined {
    const named = this.namedBeside(request.routeOptions.url ?? '');
    if (named.size === 0) return undefined;
    const path = pathOf(request.url);
    const methods = named.get(path.slice(path.lastIndexOf('/') + 1));
    return methods && !methods.has(request.method) ? wrongMethod(request, methods) : undefined;
  }

  /** Named routes next to a route that ends with a parameter. Computed once per route, since every request needs it. */
  private namedBeside(route: string): ReadonlyMap<string, ReadonlySet<string>> {
    let named = this.named.get(route);
    if (named === undefined) {
      const parent = /^(.*\/):[^/]+$/.exec(route)?.[1];
      // the feed has one route for all of its resources and refuses unknown ones such as `$batch` itself
      named = parent === undefined || isUnderODataRoot(route) ? NONE : this.namesBelow(parent);
      this.named.set(route, named);
    }
    return named;
  }

  private namesBelow(parent: string): ReadonlyMap<string, ReadonlySet<string>> {
    const below = [...this.methods].filter(([url]) => url.startsWith(parent));
    const rests = below.map(([url, methods]) => [url.slice(parent.length), methods] as const);
    return new Map(rests.filter(([rest]) => /^[^:/*]+$/.test(rest)));
  }
}

/** Number of parameters: of several patterns that match a path, the one with the fewest is its route. */
const parametersOf = (pattern: string): number => pattern.split('/').filter((part) => part.startsWith(':')).length;

/** Names the most common mistakes in URLs. */
const unknownPath = (path: string): Problem =>
  new Problem(
    404,
    'not_found',
    isUnderODataRoot(path)
      ? 'There is no such path. The feed has sets, their entities by key, and the properties and navigations of an entity.'
      : 'There is no such path. Paths of the public API start with /api/v1, no path ends with a slash, and a slash in an identifier is written %2F. See /openapi.json for all paths.',
  );

function wrongMethod({ method }: FastifyRequest, methods: ReadonlySet<string>): Problem {
  const allow = [...methods].toSorted().join(', ');
  return new Problem(405, 'method_not_allowed', `This path supports ${allow}, not ${method}.`, { headers: { allow } });
}

/** Parameters match a whole segment; a wildcard, which comes last, matches the rest. */
function fits(path: readonly string[], pattern: readonly string[]): boolean {
  if (pattern.at(-1) === '*') return fits(path.slice(0, pattern.length - 1), pattern.slice(0, -1));
  if (path.length !== pattern.length) return false;
  return pattern.every((part, at) => (part.startsWith(':') ? path[at] !== '' : part === path[at]));
}
