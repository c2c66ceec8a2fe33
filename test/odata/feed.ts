import { Api } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { type Reply, send } from '../support/reply.js';
import { sharedService } from '../support/shared-service.js';
import type { TestService } from '../support/test-service.js';
import { nthMonth } from '../support/time/nth-month.js';

export type Row = Record<string, unknown>;

export interface Page {
  readonly '@odata.context'?: string;
  readonly '@odata.count'?: number;
  readonly '@odata.nextLink'?: string;
  readonly value: Row[];
}

export interface ODataError {
  readonly error: { code: string; message: string; target?: string; details?: { target: string; message: string }[] };
}

/** Asks the feed as a BI tool does. */
export class Feed {
  readonly root: string;

  constructor(
    serviceUrl: string,
    private readonly key: string,
  ) {
    this.root = `${serviceUrl}/odata/v4`;
  }

  /** @param options values by the names of query options, not yet encoded */
  url(resource: string, options: Record<string, string> = {}): string {
    const query = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return `${this.root}/${resource}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  }

  get<Body = Page>(
    resource: string,
    options: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Reply<Body>> {
    return this.fetch<Body>(this.url(resource, options), headers);
  }

  fetch<Body = Page>(url: string, headers: Record<string, string> = {}): Promise<Reply<Body>> {
    return send<Body>(url, { headers: { 'x-api-key': this.key, ...headers } });
  }

  /** The rows of one page; fails where the feed refuses. */
  async rows(resource: string, options: Record<string, string> = {}): Promise<Row[]> {
    const { status, text, body } = await this.get(resource, options);
    if (status !== 200) throw new Error(`${resource} ${JSON.stringify(options)} answered ${status}: ${text}`);
    return body.value;
  }

  /** The rows of all pages, page by page as the links lead. */
  async *pages(resource: string, options: Record<string, string>, pageSize: number): AsyncGenerator<Page> {
    let url: string | undefined = this.url(resource, options);
    while (url !== undefined) {
      const { status, text, body }: Reply<Page> = await this.fetch(url, {
        prefer: `odata.maxpagesize=${pageSize}`,
      });
      if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`);
      yield body;
      url = body['@odata.nextLink'];
    }
  }

  async allRows(resource: string, options: Record<string, string>, pageSize: number): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const page of this.pages(resource, options, pageSize)) rows.push(...page.value);
    return rows;
  }
}

/** Names that quote marks, wildcards, case and alphabets could trip over. */
const NAMES: readonly (readonly [uniqueId: string, product: string, category: string])[] = [
  ['A-1', "O'Brien's 50% soap", 'Care'],
  ['A-2', 'Under_score\\back', 'Care'],
  ['B-1', 'ÄPFEL Grün', 'Obst & Gemüse'],
  ['B-2', 'äpfel grün', 'Obst & Gemüse'],
  ['C-1', '', ''],
  ['C-2', '日本 茶 🍵', 'Tea "fine"'],
  ['D-1', '  spaced  ', 'Care'],
];

export interface SeededFeed {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly api: Api;
  readonly feed: Feed;
  /** Two completed runs, the later one last. */
  readonly runs: readonly [string, string];
}

/** A tenant with monthly and daily demand, two completed runs, an override beside former ones, and some alerts. */
export async function seedFeed(service: TestService): Promise<SeededFeed> {
  const { organizationId, workspaceId, organizationKey } = await createTenant(service, { plan: 'scale' });
  const api = new Api(service.url, organizationKey);
  const field = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const monthly = NAMES.flatMap(([uniqueId, product, category], series) =>
    Array.from({ length: 30 }, (_, month) => {
      const y = 20 * (series + 1) + 5 * Math.sin(month) + ((month * 7 + series) % 5);
      return [uniqueId, nthMonth(2023, month), y.toFixed(3), product, category, 'kg'].map(field).join(',');
    }),
  );
  const daily = Array.from({ length: 60 }, (_, day) => {
    const ds = new Date(Date.UTC(2025, 3, 1 + day)).toISOString().slice(0, 10);
    return ['DAILY', ds, String(day % 4), 'By the day', 'Care', 'pieces'].map(field).join(',');
  });
  const csv = ['unique_id,ds,y,product_name,category,unit', ...monthly, ...daily].join('\n');
  const uploaded = await api.upload(workspaceId, csv);
  if (uploaded.status !== 200) throw new Error(`the demand was refused: ${JSON.stringify(uploaded.body)}`);
  const run = (horizon: number) => api.run({ workspace_id: workspaceId, config_overrides: { horizon } });
  const runs = [(await run(3)).id, (await run(6)).id] as const;
  await service.database.execute(
    `INSERT INTO overrides (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at, ended_at, expires_at)
     SELECT gen_random_uuid(), $1, $2, id, month, 'percent', value, 'a promotion', 'test', now() - interval '1 day', ended_at, expires_at
       FROM series, (VALUES (date '2025-08-01', 20, now(), NULL), ('2025-08-01', 50, NULL, NULL), ('2025-07-01', 30, NULL, now()))
         AS made (month, value, ended_at, expires_at)
      WHERE unique_id = 'A-1' AND workspace_id = $2`,
    [organizationId, workspaceId],
  );
  await service.database.execute(
    `INSERT INTO alerts (id, organization_id, workspace_id, series_id, kind, severity, message, change_percent, period, run_id, created_at, read_at)
     SELECT gen_random_uuid(), $1, $2, s.id, 'spike', CASE WHEN n = 1 THEN 'high' ELSE 'low' END, 'told ' || n, 10 * n, make_date(2025, n, 1), $3,
            make_timestamptz(2025, n, 15, 6, n, 7.25, 'UTC'), CASE WHEN n = 2 THEN make_timestamptz(2025, 9, 1, 0, 0, 0, 'UTC') END
       FROM series s, generate_series(1, 3) AS n WHERE s.workspace_id = $2 AND s.unique_id IN ('A-1', 'C-1')
     ON CONFLICT DO NOTHING`,
    [organizationId, workspaceId, runs[1]],
  );
  return { organizationId, workspaceId, api, feed: new Feed(service.url, organizationKey), runs };
}

let shared: Promise<SeededFeed> | undefined;

/** The same, made once for all suites of a file that only read it. */
export function sharedFeed(): Promise<SeededFeed> {
  return (shared ??= sharedService().then(seedFeed));
}
