import { type Route, routesOf } from '../support/routes/routes.js';
import { type Ids, WORKSPACE_ID_NAMES } from './population.js';
import type { TwoTenants } from './two-tenants.js';
import { namesTenant, withoutTenant } from './predicates.js';
import type { Principal } from '../support/routes/admission.js';
import { Caller, idsInPath, namedBy, type Probe, rootOf } from './probes.js';
import { casesOf, type RouteCase } from './route-cases.js';
import { SqlTap } from './sql-tap.js';

type Rewrite = (sql: string) => string;
const AS_IT_IS: Rewrite = (sql) => sql;

/** What came of a call. */
interface Outcome {
  readonly status: number;
  readonly text: string;
  /** Something of another tenant. */
  readonly shows: string | undefined;
  /** What each statement sent for it touched and returned. */
  readonly rows: ReadonlyMap<string, string>;
}

/** The calls of the tenancy suite that a tenant's callers are admitted to, and so reach the statements behind a route. */
function probesOf(route: Route): Probe[] {
  if (!['public_api', 'organization', 'workspace'].includes(route.declaration.kind)) return [];
  return casesOf(nameOf(route)).flatMap((declared) => probesOfCase(route, declared));
}

function probesOfCase(route: Route, declared: RouteCase): Probe[] {
  const { kind } = route.declaration;
  const principals: Principal[] = kind === 'public_api' ? ['organization key', 'workspace key'] : ['owner'];
  const places = namedBy(route, declared);
  return principals.flatMap((principal): Probe[] => {
    const probe = { route, case: declared, principal };
    const beside = places.filter(
      (place) =>
        WORKSPACE_ID_NAMES.has(place) &&
        (principal === 'workspace key' || (kind === 'workspace' && place !== 'workspace_id')),
    );
    const full: Probe[] = [
      { ...probe, whose: 'own' },
      ...places.map((place): Probe => ({ ...probe, place, whose: 'foreign' })),
      ...beside.map((place): Probe => ({ ...probe, place, whose: 'neighbour' })),
      ...(places.filter((place) => place !== rootOf(route)).length > 1
        ? [{ ...probe, place: 'all' as const, whose: 'foreign' as const }]
        : []),
      ...(beside.length > 1 ? [{ ...probe, place: 'all' as const, whose: 'neighbour' as const }] : []),
    ];
    if (!declared.query || route.method !== 'GET') return full;
    const withoutQuery = full.filter(
      ({ place }) => place === undefined || place === 'all' || idsInPath(route).includes(place),
    );
    return [...full, ...withoutQuery.map((one) => ({ ...one, bare: true }))];
  });
}

const nameOf = (route: Route): string => `${route.method} ${route.path}`;
const callOf = ({ route, principal, place, whose }: Probe): string =>
  `${nameOf(route)} by ${principal}, ${place ?? 'every id'} ${whose}`;

/** At most so many of the items, from all of them in equal parts. */
export function evenly<Item>(items: readonly Item[], max: number): readonly Item[] {
  const part = Math.max(1, items.length / max);
  return items.filter((_, at) => Math.floor(at / part) !== Math.floor((at - 1) / part));
}

/** Calls the tenancy suite's routes with statements changed, and judges whether anything of another tenant shows. */
export class MutationBench {
  readonly tap: SqlTap;
  private readonly probes: readonly Probe[];
  private readonly caller: Caller;
  /** The calls that send a statement while none is changed. */
  private readonly senders = new Map<string, Set<Probe>>();
  /** What came of calls while no statement was changed: they are compared with one change after another. */
  private readonly known = new Map<Probe, Outcome>();

  constructor(private readonly tenants: TwoTenants) {
    this.tap = new SqlTap(tenants.service);
    this.tap.trial = true;
    this.caller = new Caller(tenants);
    this.probes = routesOf(tenants.service.app).flatMap(probesOf);
  }

  /** Forgets the outcomes of calls, as after a change to the data behind them. */
  forget(): void {
    this.known.clear();
  }

  /**
   * Finds out which routes send which statements, and so which there are to change.
   * @throws {Error} where a call for what is the caller's own fails before anything is changed
   */
  async statements(): Promise<string[]> {
    for (const probe of this.probes) {
      const { status, rows } = await this.plainly(probe, await this.caller.idsFor(probe));
      if (probe.whose === 'own' && probe.bare !== true && status !== probe.case.own)
        throw new Error(
          `${callOf(probe)} answers ${status} instead of ${probe.case.own}: changes would not show in it`,
        );
      for (const sql of rows.keys()) {
        if (!namesTenant(sql)) continue;
        this.senders.set(sql, (this.senders.get(sql) ?? new Set()).add(probe));
      }
    }
    return [...this.senders.keys()];
  }

  /** What comes of every call while no statement is changed. */
  async outcomes(): Promise<Map<Probe, Outcome>> {
    const outcomes = new Map<Probe, Outcome>();
    for (const probe of this.probes)
      outcomes.set(probe, this.known.get(probe) ?? (await this.plainly(probe, await this.caller.idsFor(probe))));
    return outcomes;
  }

  /**
   * What leaks when one statement forgets its tenant; undefined where nothing does. Calls that do not come to send it go on as before.
   * @param maxCalls how many of the calls that send it are tried, from all of them in equal parts
   */
  leakOf(sql: string, maxCalls = Infinity): Promise<string | undefined> {
    const change: Rewrite = (sent) => (sent === sql ? withoutTenant(sent) : sent);
    return this.firstLeak(evenly([...this.senders.get(sql)!], maxCalls), sql, AS_IT_IS, change);
  }

  /** What the statement keeps back when it is the last one that names its tenant: then others of its routes' calls may send it. */
  keptByLast(sql: string): Promise<string | undefined> {
    const routes = new Set([...this.senders.get(sql)!].map(({ route }) => route));
    const probes = this.probes.filter(({ route }) => routes.has(route));
    return this.firstLeak(probes, sql, (sent) => (sent === sql ? sent : withoutTenant(sent)), withoutTenant);
  }

  /** What leaks when every statement forgets its tenant, a line for each call. */
  async leaksOfAll(): Promise<string[]> {
    const leaks: string[] = [];
    for (const probe of this.probes) {
      const leak = await this.difference(probe, AS_IT_IS, withoutTenant);
      if (leak !== undefined) leaks.push(leak);
    }
    return leaks;
  }

  private async firstLeak(
    probes: readonly Probe[],
    sql: string,
    before: Rewrite,
    after: Rewrite,
  ): Promise<string | undefined> {
    for (const probe of probes) {
      const leak = await this.difference(probe, before, after, sql);
      if (leak !== undefined) return leak;
    }
    return undefined;
  }

  /** The same call before and after a change: the caller must not be able to tell, nor may the statement reach other rows. */
  private async difference(probe: Probe, before: Rewrite, after: Rewrite, sql?: string): Promise<string | undefined> {
    const ids = await this.caller.idsFor(probe);
    const known = before === AS_IT_IS ? this.known.get(probe) : undefined;
    if (known && differenceOf(probe, known, await this.ask(probe, ids, after), sql) === undefined) return undefined;
    // what was made for other calls since may show in it
    const plain = await (before === AS_IT_IS ? this.plainly(probe, ids) : this.ask(probe, ids, before));
    return differenceOf(probe, plain, await this.ask(probe, ids, after), sql);
  }

  /** What comes of a call while no statement is changed. */
  private async plainly(probe: Probe, ids: Ids): Promise<Outcome> {
    const outcome = await this.ask(probe, ids, AS_IT_IS);
    // ids of what is made for the call alone differ from time to time
    if (!(probe.whose === 'own' && probe.case.fresh)) this.known.set(probe, outcome);
    return outcome;
  }

  private async ask(probe: Probe, ids: Ids, rewrite: Rewrite): Promise<Outcome> {
    this.tap.sent.clear();
    this.tap.rewrite = rewrite;
    const { status, text, named } = await this.caller.send(probe, ids).finally(() => (this.tap.rewrite = AS_IT_IS));
    return {
      status,
      text: lasting(text),
      shows: this.othersIn(text, named, probe),
      rows: new Map([...this.tap.sent].map(([sql, rows]) => [sql, lasting(rows)])),
    };
  }

  /** Something of another tenant in an answer that the caller has not named himself. */
  private othersIn(text: string, named: string, { principal, route }: Probe): string | undefined {
    const { own, foreign } = this.tenants;
    const bound = principal === 'workspace key' || route.declaration.kind === 'workspace';
    const others = [foreign.marker, ...Object.values(foreign.ids), ...Object.values(foreign.neighbour)];
    if (bound) others.push(own.neighbourMarker, ...Object.values(own.neighbour));
    return others.find((other) => text.includes(other) && !named.includes(other));
  }
}

/** What a caller gets of others after a change, told by what tells no two of the same calls apart. */
export function leakBetween(probe: Probe, plain: Outcome, changed: Outcome): string | undefined {
  if (changed.shows !== plain.shows) return `${callOf(probe)} shows ${changed.shows}`;
  if (changed.status !== plain.status) return `${callOf(probe)} answers ${changed.status} instead of ${plain.status}`;
  return undefined;
}

/** @param sql the statement whose rows are compared too */
function differenceOf(probe: Probe, plain: Outcome, changed: Outcome, sql: string | undefined): string | undefined {
  const leak = leakBetween(probe, plain, changed);
  if (leak !== undefined) return leak;
  // a key of the whole organization may see each of its workspaces: which of them it asked for is no matter of tenancy
  if (probe.principal === 'organization key' && probe.whose === 'own') return undefined;
  if (probe.case.anew === true && probe.whose === 'own') return undefined;
  // what a call creates is compared by status; what it reads, word for word
  if ((probe.route.method === 'GET' || probe.whose !== 'own') && changed.text !== plain.text)
    return `${callOf(probe)} answers otherwise`;
  if (sql === undefined) return undefined;
  const [reached, meant] = [changed.rows.get(sql) ?? '', plain.rows.get(sql) ?? ''];
  return reached === meant ? undefined : `${callOf(probe)} reaches ${reached} instead of ${meant}`;
}

/** Without what differs from one moment to the next: instants, and numbers that follow the clock. */
function lasting(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+\.\d+|"content-length","\d+"/g, '');
}
