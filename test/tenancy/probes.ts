import { MEMBER_ROLES } from '../../src/platform/http/access-declaration.js';
import { newId } from '../../src/platform/ids.js';
import { addMember, createSession, createUser } from '../support/builders.js';
import type { Route } from '../support/routes.js';
import type { IdName, Ids, TwoTenants } from './population.js';
import type { RouteCase } from './route-cases.js';

export const SESSIONS = [...MEMBER_ROLES, 'operator', 'stranger'] as const;
export const KEYS = ['organization key', 'workspace key'] as const;
export const PRINCIPALS = ['nobody', ...KEYS, ...SESSIONS] as const;
export type Principal = (typeof PRINCIPALS)[number];

/** Whose the named id is: of the caller's tenant, of another, of a workspace beside the caller's, of nobody, or no id at all. */
export type Whose = 'own' | 'foreign' | 'neighbour' | 'unknown' | 'malformed';

/** One call of a route: by whom, and naming what. */
export interface Probe {
  readonly route: Route;
  readonly case: RouteCase;
  readonly principal: Principal;
  readonly whose: Whose;
  /** The one id that is not the caller's own; undefined where all are. */
  readonly place?: IdName;
}

export interface Answer {
  readonly status: number;
  /** Headers and body as they came, but for what tells requests apart. */
  readonly text: string;
}

const ID_NAMES = new Set<string>([
  'org_id',
  'user_id',
  'session_id',
  'key_id',
  'invitation_id',
  'workspace_id',
  'series_id',
  'import_id',
  'alert_id',
  'run_id',
  'current',
  'prior',
] satisfies IdName[]);

export function idsInPath(route: Route): IdName[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return names.filter((name): name is IdName => ID_NAMES.has(name));
}

/** Calls a route the ways that tell tenants apart. */
export class Caller {
  constructor(private readonly tenants: TwoTenants) {}

  /** @returns the answer, and everything the caller named, which an answer may repeat */
  async send(probe: Probe): Promise<Answer & { readonly named: string }> {
    const { service, own } = this.tenants;
    const { headers, userId } = await this.credentials(probe.principal);
    const stage = { service, population: own, userId };
    const fresh = probe.whose === 'own' ? await probe.case.fresh?.(stage) : undefined;
    const ids: Ids = { ...own.ids, ...fresh, ...this.replaced(probe) };
    const path = probe.route.path.replace(/:(\w+)/g, (_, name: IdName) => encodeURIComponent(ids[name]));
    const query = new URLSearchParams(probe.case.query?.(ids)).toString();
    const body = probe.case.body && JSON.stringify(probe.case.body(ids));
    const reply = await fetch(`${service.url}${path}${query === '' ? '' : `?${query}`}`, {
      method: probe.route.method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await reply.text();
    if (probe.whose === 'own' && probe.case.undo !== undefined) {
      await service.database.execute(probe.case.undo, [own.ids.org_id]);
    }
    const requestId = reply.headers.get('x-request-id') ?? '';
    const told = [...reply.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    const whole = `${JSON.stringify(told)}\n${text}`;
    return {
      status: reply.status,
      text: requestId === '' ? whole : whole.replaceAll(requestId, ''),
      named: `${path} ${query} ${body ?? ''}`,
    };
  }

  private replaced({ whose, place }: Probe): Partial<Ids> {
    if (place === undefined) return {};
    switch (whose) {
      case 'own':
        return {};
      case 'foreign':
        return { [place]: this.tenants.foreign.ids[place] };
      case 'neighbour':
        return { [place]: (this.tenants.own.neighbour as Partial<Ids>)[place] };
      case 'unknown':
        return { [place]: newId() };
      case 'malformed':
        return { [place]: 'nonsense' };
    }
  }

  private async credentials(
    principal: Principal,
  ): Promise<{ headers: Record<string, string>; userId: string | undefined }> {
    if (principal === 'nobody') return { headers: {}, userId: undefined };
    if (principal === 'organization key')
      return { headers: { 'x-api-key': this.tenants.own.organizationKey }, userId: undefined };
    if (principal === 'workspace key')
      return { headers: { 'x-api-key': this.tenants.own.workspaceKey }, userId: undefined };
    const db = this.tenants.service.database;
    const user = await createUser(db, { isOperator: principal === 'operator' });
    if (principal === 'stranger') await addMember(db, this.tenants.foreign.ids.org_id, user.id, 'owner');
    else if (principal !== 'operator') await addMember(db, this.tenants.own.ids.org_id, user.id, principal);
    return { headers: { authorization: `Bearer ${await createSession(db, user.id)}` }, userId: user.id };
  }
}
