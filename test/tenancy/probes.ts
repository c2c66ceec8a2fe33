import { newId } from '../../src/platform/ids.js';
import type { Principal } from '../support/routes/admission.js';
import { addMember, createSession, createUser } from '../support/builders.js';
import type { Route } from '../support/routes/routes.js';
import { ID_NAMES, type IdName, type Ids } from './population.js';
import type { TwoTenants } from './two-tenants.js';
import type { RouteCase } from './route-cases.js';

/** Whose the named id is: of the caller's tenant, of another, of a workspace beside the caller's, of nobody, or no id at all. */
export type Whose = 'own' | 'foreign' | 'neighbour' | 'unknown' | 'malformed';

/** One call of a route: by whom, and naming what. */
export interface Probe {
  readonly route: Route;
  readonly case: RouteCase;
  readonly principal: Principal;
  readonly whose: Whose;
  /** The one id that is not the caller's own; `all` where none is that the route's access is not decided by. */
  readonly place?: IdName | 'all';
  /** Leaves out what may be left out: query and body. */
  readonly bare?: boolean;
}

export interface Answer {
  readonly status: number;
  /** Headers and body as they came, but for what tells requests apart. */
  readonly text: string;
}

/** The id in the path that the guard itself looks up. */
export function rootOf({ declaration }: Route): IdName | undefined {
  if (declaration.kind === 'organization') return 'org_id';
  return declaration.kind === 'workspace' ? 'workspace_id' : undefined;
}

/** Every id that a call of the route names. */
export function namedBy(route: Route, declared: RouteCase): IdName[] {
  return [...new Set([...idsInPath(route), ...(declared.names ?? [])])];
}

export function idsInPath(route: Route): IdName[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return names.filter((name): name is IdName => ID_NAMES.has(name));
}

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly userId: string | undefined;
}

/** Calls a route the ways that tell tenants apart. */
export class Caller {
  private readonly known = new Map<Principal, Promise<Credentials>>();

  constructor(private readonly tenants: TwoTenants) {}

  /** The ids that a call names; what it may use up is made for it. */
  async idsFor(probe: Probe): Promise<Ids> {
    const { service, own } = this.tenants;
    const { userId } = await this.credentials(probe.principal);
    const fresh = probe.whose === 'own' ? await probe.case.fresh?.({ service, population: own, userId }) : undefined;
    return { ...own.ids, ...fresh, ...this.replaced(probe) };
  }

  /** @returns the answer, and everything the caller named, which an answer may repeat */
  async send(probe: Probe, ids?: Ids): Promise<Answer & { readonly named: string }> {
    const { service, own } = this.tenants;
    const { route, case: declared, whose } = probe;
    const named = ids ?? (await this.idsFor(probe));
    const { headers } = await this.credentials(probe.principal);
    const path = route.path.replace(/:(\w+)/g, (_, name: IdName) =>
      encodeURIComponent(declared.path?.[name]?.(named) ?? named[declared.of?.[name] ?? name]),
    );
    const query = probe.bare === true ? '' : new URLSearchParams(declared.query?.(named)).toString();
    const body = probe.bare === true || !declared.body ? undefined : JSON.stringify(declared.body(named));
    const reply = await fetch(`${service.url}${path}${query === '' ? '' : `?${query}`}`, {
      method: route.method,
      headers: {
        'accept-encoding': 'identity', // the length of a compressed reply changes with the request id in it
        ...headers,
        ...declared.headers?.(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await reply.text();
    if (whose === 'own' && declared.undo !== undefined) await service.database.execute(declared.undo, [own.ids.org_id]);
    const requestId = reply.headers.get('x-request-id') ?? '';
    const replyHeaders = [...reply.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    const whole = `${JSON.stringify(replyHeaders)}\n${text}`;
    return {
      status: reply.status,
      text: requestId === '' ? whole : whole.replaceAll(requestId, ''),
      named: `${path} ${query} ${body ?? ''}`,
    };
  }

  private replaced({ route, case: declared, whose, place }: Probe): Partial<Ids> {
    if (place === undefined) return {};
    const root = rootOf(route);
    const places = place === 'all' ? namedBy(route, declared).filter((name) => name !== root) : [place];
    return Object.fromEntries(
      places.map((name) => declared.of?.[name] ?? name).map((name) => [name, this.idOf(whose, name)]),
    );
  }

  private idOf(whose: Whose, name: IdName): string {
    const { own, foreign } = this.tenants;
    switch (whose) {
      case 'own':
        return own.ids[name];
      case 'foreign':
        return foreign.ids[name];
      case 'neighbour':
        return (own.neighbour as Partial<Ids>)[name] ?? own.ids[name];
      case 'unknown':
        return newId();
      case 'malformed':
        return 'nonsense';
    }
  }

  private credentials(principal: Principal): Promise<Credentials> {
    const known = this.known.get(principal) ?? this.make(principal);
    this.known.set(principal, known);
    return known;
  }

  private async make(principal: Principal): Promise<Credentials> {
    const { service, own, foreign } = this.tenants;
    if (principal === 'nobody') return { headers: {}, userId: undefined };
    if (principal === 'organization key') return { headers: { 'x-api-key': own.organizationKey }, userId: undefined };
    if (principal === 'workspace key') return { headers: { 'x-api-key': own.workspaceKey }, userId: undefined };
    const db = service.database;
    const user = await createUser(db, { isOperator: principal === 'operator' });
    if (principal === 'stranger') await addMember(db, foreign.ids.org_id, user.id, 'owner');
    else if (principal !== 'operator') await addMember(db, own.ids.org_id, user.id, principal);
    return { headers: { authorization: `Bearer ${await createSession(db, user.id)}` }, userId: user.id };
  }
}
