import { addMember, createApiKey, createSession, createUser } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { untilCachesExpire } from '../../support/time/until-caches-expire.js';
import type { TestService } from '../../support/test-service.js';
import { must, same } from '../operation.js';
import { type Caller, type Item, items, type Reply, type World } from '../world.js';

/** Everything the service reports about an organization at rest. */
export interface Returned {
  readonly runs: readonly Item[];
  /** Of completed runs, by their ids. */
  readonly forecasts: ReadonlyMap<unknown, Reply>;
  readonly usage: Item;
  readonly series: readonly Item[];
  /** Stored demand, by the ids of series. */
  readonly months: ReadonlyMap<unknown, readonly Item[]>;
  readonly workspaces: readonly Item[];
  /** With those that have ended. */
  readonly overrides: readonly Item[];
  readonly alerts: readonly Item[];
  /** Ids of workspaces that have one. */
  readonly scheduled: readonly unknown[];
  readonly audit: readonly Item[];
}

/**
 * Reads everything about an organization with a new owner and a new key, and checks it for consistency: pages against their
 * list, lists against single reads, the feed against the API, the audit log against its chain.
 */
export async function readAll(service: TestService, world: World, organizationId: string): Promise<Returned> {
  const { database } = service;
  await database.execute('UPDATE organizations SET suspended_at = NULL, delete_after = NULL WHERE id = $1', [
    organizationId,
  ]);
  await database.execute('UPDATE platform_flags SET enabled = false');
  await untilCachesExpire();
  const user = await createUser(database);
  await addMember(database, organizationId, user.id, 'owner');
  const bearer = { authorization: `Bearer ${await createSession(database, user.id)}` };
  const owner = new Reader(world, { label: 'an auditor', headers: bearer, blindTo: [] });
  const apiKey = { 'x-api-key': await createApiKey(service, organizationId) };
  const key = new Reader(world, { label: 'an auditing key', headers: apiKey, blindTo: [] });

  const runs = await eventually('all runs end', async () => {
    const all = await key.pages('/api/v1/runs');
    return all.some(({ status }) => status === 'queued' || status === 'running') ? undefined : all;
  });
  const forecasts = new Map<unknown, Reply>();
  for (const run of runs) {
    same((await key.get(`/api/v1/runs/${String(run['id'])}`)).body, run, 'the run alone');
    if (run['status'] !== 'completed') continue;
    const rows = await key.get(`/api/v1/runs/${String(run['id'])}/forecasts?apply_overrides=true`);
    forecasts.set(run['id'], rows);
    same(
      await key.count(`Forecasts/$count?$filter=run_id%20eq%20${String(run['id'])}`),
      items(rows).length,
      'rows of the feed',
    );
  }
  const series = await key.pages('/api/v1/series');
  const months = new Map<unknown, readonly Item[]>();
  for (const one of series) {
    same((await key.get(`/api/v1/series/${String(one['id'])}`)).body, one, 'the series alone');
    months.set(one['id'], items(await key.get(`/api/v1/series/${String(one['id'])}/actuals`)));
  }
  const workspaces = items(await owner.get(`/orgs/${organizationId}/workspaces`));
  const paths = workspaces.map(({ id }) => `/workspaces/${String(id)}`);
  const overrides = (await Promise.all(paths.map((path) => owner.pages(`${path}/overrides?history=true`)))).flat();
  const schedules = await Promise.all(paths.map((path) => owner.get(`${path}/schedule`, [200, 404])));
  const audit = await owner.pages(`/orgs/${organizationId}/audit-log`);
  const { body: chain } = await owner.get(`/orgs/${organizationId}/audit-log/verification`);
  same([chain['intact'], chain['events']], [true, audit.length], 'the chain of the audit log');
  const rows = [...months.values()].flat().flatMap(({ days }) => (days as unknown[] | null) ?? [null]);
  same(
    [await key.count('Series/$count'), await key.count('Runs/$count'), await key.count('Workspaces/$count')],
    [series.length, runs.length, workspaces.length],
    'series, runs and workspaces of the feed',
  );
  same(await key.count('Actuals/$count'), rows.length, 'demand of the feed');
  return {
    ...{ runs, forecasts, series, months, workspaces, overrides, audit },
    usage: (await key.get('/api/v1/usage')).body,
    alerts: await key.pages('/api/v1/alerts?unread=false'),
    scheduled: schedules.flatMap(({ status, body }) => (status === 200 ? [body['workspace_id']] : [])),
  };
}

class Reader {
  constructor(
    private readonly world: World,
    private readonly caller: Caller,
  ) {}

  async get(path: string, statuses: readonly number[] = [200]): Promise<Reply> {
    const reply = await this.world.send({ caller: this.caller, method: 'GET', path });
    must(statuses.includes(reply.status), `${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  }

  /** A list by small pages, which must be the whole of it. */
  async pages(path: string): Promise<Item[]> {
    const [mark, all] = [path.includes('?') ? '&' : '?', [] as Item[]];
    for (let next: string | undefined = `${path}${mark}limit=3`; next !== undefined;) {
      const page: Reply = await this.get(next);
      all.push(...items(page));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    same(all, items(await this.get(`${path}${mark}limit=200`)), `the pages of ${path}`);
    return all;
  }

  async count(resource: string): Promise<number> {
    return Number((await this.get(`/odata/v4/${resource}`)).body);
  }
}
