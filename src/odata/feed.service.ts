import { Inject, Injectable } from '@nestjs/common';
import { type ApiCaller, WorkspaceScope } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import type { Secrets } from '../platform/crypto/secrets.js';
import { Database, type Transaction } from '../platform/database/database.js';
import type { Tenant } from '../platform/database/scope.js';
import { Problem } from '../platform/http/problem.js';
import { SECRETS } from '../platform/platform.module.js';
import { Slots } from '../platform/work/slots.js';
import { SafetyStocks } from '../runs/index.js';
import { readCount, readFeed, readRows } from './feed.queries.js';
import { optionFault } from './language/option-fault.js';
import { derivedContext, entityContext } from './metadata/context-url.js';
import type { EntitySet } from './model/entity-set.js';
import { type FeedQuery, type GivenOptions, parseQuery } from './query-options.js';
import type { Resource } from './resource-path.js';
import { CARRIED, foreignToken, type PagePosition, SkipTokens } from './skip-token.js';
import { compileCount, compilePage, type StatementContext } from './sql/compile-query.js';
import type { Position } from './sql/keyset.js';
import { SqlParameters } from './sql/sql-parameters.js';

/** A quarter of a process's database connections, so that slow queries leave the rest to everyone else. */
const SLOTS = { total: 4, perOrganization: 3, perKey: 2, maxWaitMs: 5_000 };

/** A page of a set. Rows are JSON texts. */
export interface FeedPage {
  /** The part of the context URL after `$metadata#`. */
  readonly context: string;
  readonly rows: readonly string[];
  /** Number of all rows, if requested by $count. */
  readonly count: number | undefined;
  /** Undefined on the last page. */
  readonly next: NextPage | undefined;
}

export interface NextPage {
  /** Its $skiptoken. */
  readonly token: string;
  /** Upper bound for the length of any page's $skiptoken in this query, in characters. */
  readonly longest: number;
}

export interface FeedEntity {
  readonly context: string;
  readonly row: string;
}

/** Answers requests to the feed: parses the options, reads the rows, locates the next page. */
@Injectable()
export class FeedService {
  private readonly tokens: SkipTokens;
  private readonly slots = new Slots('OData queries', SLOTS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly safetyStocks: SafetyStocks,
    private readonly workspaces: WorkspaceScope,
    @Inject(SECRETS) secrets: Secrets,
  ) {
    this.tokens = new SkipTokens(secrets.encryptionKey);
  }

  /** @throws {Problem} 400 naming the option at fault */
  async page(
    caller: ApiCaller,
    { set }: Resource,
    given: GivenOptions,
    { rows: pageRows, annotated }: { readonly rows: number; readonly annotated: boolean },
  ): Promise<FeedPage> {
    const audience = audienceOf(caller, set);
    const { options, begun } = this.begin(given, audience);
    const query = parseQuery(options);
    const from = begun ?? { skip: query.skip, remaining: query.top ?? null };
    const limit = Math.min(pageRows, from.remaining ?? Infinity);
    const statement = await this.statement(caller, set, begun?.asOf);
    const counting = { ...statement, parameters: new SqlParameters(caller, begun?.asOf) };
    const compiled = compilePage(set, query, statement, { ...from, limit, annotated });
    const read = await this.read(caller, async (tx) => ({
      ...(await readRows(tx, compiled.sql, statement.parameters.values)),
      count: query.count ? await countRows(tx, set, query, counting) : undefined,
    }));
    const rows = read.rows.slice(0, limit);
    const last = read.cut || read.rows.length > limit ? rows.at(-1) : undefined;
    const remaining = from.remaining === null ? null : from.remaining - rows.length;
    const rest = { remaining, options: carried(options), asOf: last?.asOf ?? null };
    return {
      context: compiled.columns ? derivedContext(set.name, compiled.columns) : entityContext(set.name, query),
      rows: rows.map(({ row }) => row),
      count: read.count,
      next:
        typeof last?.position === 'string' && remaining !== 0
          ? {
              token: this.tokens.issue({ ...rest, position: JSON.parse(last.position) as Position }, audience),
              longest: this.tokens.longest({ ...rest, position: compiled.longest }, audience),
            }
          : undefined,
    };
  }

  /** The number of rows of the set that $filter and $apply leave. */
  async size(caller: ApiCaller, { set }: Resource, options: GivenOptions): Promise<number> {
    const query = parseQuery(options);
    const statement = await this.statement(caller, set);
    return this.read(caller, (tx) => countRows(tx, set, query, statement));
  }

  /** @throws {Problem} 404 if there is no such entity in the caller's scope; 403 for a workspace other than the one the key is bound to */
  async entity(caller: ApiCaller, resource: Resource, options: GivenOptions): Promise<FeedEntity> {
    const query = parseQuery(options);
    return {
      context: `${entityContext(resource.set.name, query)}/$entity`,
      row: await this.one(caller, resource, query),
    };
  }

  /**
   * A property of an entity, or the entity that one of its navigations leads to; undefined if that is null.
   * @throws {Problem} 404 if there is no such entity or member
   */
  async member(
    caller: ApiCaller,
    resource: Resource,
    name: string,
    options: GivenOptions,
  ): Promise<FeedEntity | undefined> {
    const { select, expand, ...rest } = parseQuery(options);
    const { set, segment } = resource;
    const navigation = set.navigations.find((known) => known.name === name);
    if (!navigation && !set.properties.some((known) => known.name === name)) throw Problem.notFound('resource');
    for (const option of ['$select', '$expand'] as const) {
      if (!navigation && options[option] !== undefined) throw optionFault(option, 'is not allowed for a property');
    }
    const at = 0;
    const below = { select, expand };
    const query = navigation
      ? { ...rest, select: [{ name: set.key[0], at }], expand: [{ navigation: name, at, ...below }] }
      : { ...rest, select: [{ name, at }] };
    const row = JSON.parse(await this.one(caller, resource, query)) as Record<string, unknown>;
    const value = row[name];
    if (value === null || value === undefined) return undefined;
    return navigation
      ? { context: `${entityContext(navigation.target, below)}/$entity`, row: JSON.stringify(value) }
      : { context: `${segment}/${name}`, row: JSON.stringify({ value }) };
  }

  /**
   * A property of an entity as plain text; undefined if it is null.
   * @throws {Problem} 404 if there is no such entity or property
   */
  async value(caller: ApiCaller, resource: Resource, name: string): Promise<string | undefined> {
    if (resource.set.navigations.some((known) => known.name === name)) throw Problem.notFound('resource');
    const found = await this.member(caller, resource, name, {});
    return found && String((JSON.parse(found.row) as { readonly value: unknown }).value);
  }

  private async one(caller: ApiCaller, { set, key, workspaceId }: Resource, query: FeedQuery): Promise<string> {
    if (workspaceId !== undefined) await this.workspaces.resolve(caller, workspaceId);
    const statement = await this.statement(caller, set);
    const { sql } = compilePage(set, { ...query, ...(key && { filter: key }) }, statement, { skip: 0, limit: 1 });
    const { rows } = await this.read(caller, (tx) => readRows(tx, sql, statement.parameters.values));
    const [found] = rows;
    if (!found) throw Problem.notFound('resource');
    return found.row;
  }

  private read<Result>(caller: ApiCaller, read: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.slots.run(caller, () => readFeed(this.database, read));
  }

  /**
   * The options of the query, and where its page begins: at the start (undefined), or where the previous page ended. The options carried by
   * a $skiptoken may be repeated besides it, but not changed.
   */
  private begin(given: GivenOptions, audience: string): { readonly options: GivenOptions; readonly begun?: Begun } {
    const { $skiptoken: token, $top, $skip, $count } = given;
    if (token === undefined) return { options: given };
    if ($top !== undefined || $skip !== undefined) {
      throw optionFault(
        $top === undefined ? '$skip' : '$top',
        'cannot be combined with $skiptoken, which already includes it',
      );
    }
    const { position, remaining, options, asOf } = this.tokens.read(token, audience);
    if (CARRIED.some((name) => given[name] !== undefined && given[name] !== options[name])) throw foreignToken();
    return {
      options: { ...options, ...($count === undefined ? {} : { $count }) },
      begun: { skip: 0, remaining, after: position, asOf },
    };
  }

  /** Parameters of a statement about the set. Computes missing rows first, within the slot, since that holds a connection. */
  private async statement(caller: ApiCaller, set: EntitySet, asOf?: string | null): Promise<StatementContext> {
    if (set.computed) await this.slots.run(caller, () => this.safetyStocks.complete(caller));
    return { parameters: new SqlParameters(caller, asOf), now: this.clock.now() };
  }
}

/** The start of a page other than the first. */
interface Begun {
  readonly skip: 0;
  readonly remaining: number | null;
  readonly after: PagePosition['position'];
  readonly asOf: PagePosition['asOf'];
}

function countRows(tx: Transaction, set: EntitySet, query: FeedQuery, statement: StatementContext): Promise<number> {
  return readCount(tx, compileCount(set, query, statement), statement.parameters.values);
}

/** Identifies who may use a $skiptoken, and for which set. */
function audienceOf({ organizationId, workspaceId }: Tenant, set: EntitySet): string {
  return JSON.stringify([organizationId, workspaceId, set.name]);
}

function carried(options: GivenOptions): GivenOptions {
  return Object.fromEntries(CARRIED.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}
