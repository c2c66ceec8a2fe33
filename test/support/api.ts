import { eventually } from './eventually.js';
import { type Reply, send } from './reply.js';
import { nthMonth } from './time/nth-month.js';

/** Calls the public API as a client with a key. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  get<Body = Record<string, unknown>>(path: string, headers: Record<string, string> = {}): Promise<Reply<Body>> {
    return this.send<Body>('GET', path, undefined, headers);
  }

  post<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<Body>> {
    return this.send<Body>('POST', path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  }

  patch<Body = Record<string, unknown>>(path: string, body: unknown): Promise<Reply<Body>> {
    return this.send<Body>('PATCH', path, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  /** Uploads CSV demand into the workspace. */
  upload(workspaceId: string, csv: string): Promise<Reply> {
    return this.send('POST', `/actuals?workspace_id=${workspaceId}`, csv, { 'content-type': 'text/csv' });
  }

  /** Starts a run and waits until it ends. */
  async run(body: Record<string, unknown>): Promise<Record<string, unknown> & { id: string; status: string }> {
    const started = await this.post<{ id: string }>('/runs', body);
    if (started.status !== 202) throw new Error(`the run was not accepted: ${JSON.stringify(started.body)}`);
    return this.ended(started.body.id);
  }

  ended(runId: string): Promise<Record<string, unknown> & { id: string; status: string }> {
    return eventually(`run ${runId} ends`, async () => {
      const { body } = await this.get<Record<string, unknown> & { id: string; status: string }>(`/runs/${runId}`);
      return ['completed', 'failed', 'canceled'].includes(body.status) ? body : undefined;
    });
  }

  send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Reply<Body>> {
    const url = path.startsWith('http') ? path : `${this.url}${path.startsWith('/api/') ? '' : '/api/v1'}${path}`;
    return send<Body>(url, {
      method,
      headers: { 'x-api-key': this.key, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }
}

/** Path and query of the next page, or undefined on the last. */
export function nextPage(headers: Headers): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
}

/** A client that reads lists: with a key, or signed in. */
interface ListReader {
  get<Body>(path: string): Promise<{ readonly status: number; readonly body: Body; readonly headers: Headers }>;
}

/** The pages of a list from `first` to the last, each read on demand. */
export async function* pagesOf<Page>(reader: ListReader, first: string): AsyncGenerator<Page> {
  for (let path: string | undefined = first; path !== undefined;) {
    const page: Awaited<ReturnType<typeof reader.get<Page>>> = await reader.get<Page>(path);
    if (page.status !== 200) throw new Error(`${path} was answered ${page.status}: ${JSON.stringify(page.body)}`);
    yield page.body;
    path = nextPage(page.headers);
  }
}

/** CSV of synthetic monthly demand: `series` products over `months` months, with seasonality and some noise. */
export function demandCsv(series: number, months: number, startYear = 2020): string {
  const lines = ['unique_id,ds,y'];
  for (let s = 0; s < series; s += 1) {
    for (let m = 0; m < months; m += 1) {
      const y = 100 + 10 * s + 30 * Math.sin((2 * Math.PI * m) / 12) + ((m * 7919 + s * 104729) % 17);
      lines.push(`P${String(s).padStart(4, '0')},${nthMonth(startYear, m)}-01,${y.toFixed(2)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** CSV of two series with demand on each day from `from` to `to`, inclusive. */
export function dailyCsv(from: string, to: string): string {
  const lines = ['unique_id,ds,y'];
  for (const day = new Date(from); day <= new Date(to); day.setUTCDate(day.getUTCDate() + 1)) {
    const ds = day.toISOString().slice(0, 10);
    lines.push(`A,${ds},${7 + (day.getUTCDate() % 3)}`, `B,${ds},${20 + (day.getUTCMonth() % 4)}`);
  }
  return `${lines.join('\n')}\n`;
}
