import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../config/paths.js';
import { Api, demandCsv } from '../support/api.js';
import { createTenant, createWorkspace } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

const RECIPES = join(PROJECT_ROOT, 'docs', 'recipes');

/** What each recipe prints when its calls work, in the order in which they build on each other. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  '1-first-forecast.md': /"rows":108[\s\S]*completed\nunique_id,ds,q10,q50,q90,[\s\S]*(?:SKU-3,\d{4}-\d\d-01,.*\s+){6}/,
  '2-safety-stock.md':
    /"reorder_point":[\d.]+[\s\S]*"warnings":\[\][\s\S]*"series_updated":1[\s\S]*"service_level":0.975,"lead_time":1.5[\s\S]*unique_id,product_name,unit,safety_stock,reorder_point,.*\r\nSKU-1,(?:.*\r\n){3}[\s\S]*Expect about [\d.]+ kg/,
  '3-notice-changes.md': /run [0-9a-f-]{36} completed [\s\S]*next poll: SINCE=20/,
  '4-page-by-page.md':
    /18 rows\n19 lines of CSV\n(?:\d{4}-\d\d-01 [\d.]+\n){6}category,[a-z\d,]+\r\n,kg,\d{4}-\d\d-01,6,3,[\d.,]+\r\n\[\{"unique_id":"SKU-2"/,
  '5-repeatable-job.md':
    /"quota":\d+[\s\S]*nightly-\d{4}-\d\d-\d\d: run [0-9a-f-]{36}, 19 lines\ninvalid_request: config_overrides\.horizon/,
};

/** A program, which `npm run test:clients` runs: there is not a python3 everywhere. */
const PYTHON = '6-python.md';

const NOTICE_CHANGES = join(RECIPES, '3-notice-changes.md');
const NIGHTLY_JOB = join(RECIPES, '5-repeatable-job.md');

/** The page about the API, which begins with calls to paste. */
const API = join(PROJECT_ROOT, 'docs', 'api.md');

/** The page about the feed, which has calls to paste too. */
const ODATA = join(PROJECT_ROOT, 'docs', 'odata.md');

function shellBlocks(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
}

/** The shell blocks of a page, as somebody would paste them one after another. */
function scriptOf(path: string): string {
  return ['set -eu', ...shellBlocks(path)].join('\n');
}

describe('the recipes', () => {
  let service: TestService;
  let directory: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'forecasting-recipes-'));
    service = await startTestService();
    const { workspaceKey } = await createTenant(service);
    environment = {
      PATH: process.env['PATH'] ?? '',
      BASE: `${service.url}/api/v1`,
      FEED: `${service.url}/odata/v4`,
      KEY: workspaceKey,
      POLL_SECONDS: '0.5',
      PAGE: '7',
    };
  });
  afterAll(async () => {
    await service.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('are all run here, except the one in Python', () => {
    expect(
      readdirSync(RECIPES)
        .filter((name) => name !== 'README.md')
        .sort(),
    ).toEqual([...Object.keys(PRINTS), PYTHON]);
  });

  async function run(script: string, settings: Record<string, string>): Promise<string> {
    const options = { cwd: directory, env: { ...environment, ...settings } };
    return (await promisify(execFile)('sh', ['-c', script], options)).stdout;
  }

  async function output(path: string, settings: Record<string, string> = {}): Promise<string> {
    return run(scriptOf(path), settings);
  }

  it.each(Object.entries(PRINTS))('%s runs as pasted', async (recipe, prints) => {
    expect(await output(join(RECIPES, recipe))).toMatch(prints);
  });

  it('work with a key of the organization, scoped to a workspace, despite runs in another', async () => {
    const { organizationId, workspaceId, organizationKey } = await createTenant(service);
    const other = await createWorkspace(service.database, organizationId);
    const api = new Api(service.url, organizationKey);
    expect((await api.upload(other.id, demandCsv(1, 30))).status).toBe(200);
    const settings = { KEY: organizationKey, WORKSPACE: workspaceId };
    for (const [recipe, prints] of Object.entries(PRINTS)) {
      expect(await output(join(RECIPES, recipe), settings)).toMatch(prints);
      if (recipe.startsWith('1-')) await api.run({ workspace_id: other.id });
    }
  });

  it('poll for changes across all pages of each list', async () => {
    const { workspaceId, workspaceKey } = await createTenant(service);
    const api = new Api(service.url, workspaceKey);
    expect((await api.upload(workspaceId, demandCsv(2, 30))).status).toBe(200);
    const runs = [await api.run({}), await api.run({}), await api.run({})];
    const printed = await output(NOTICE_CHANGES, { KEY: workspaceKey, PAGE: '1' });
    for (const { id } of runs) expect(printed).toContain(`run ${id} completed`);
  });

  it('continue polling from the end of the newest run, by the clock of the service', async () => {
    const { workspaceId, workspaceKey } = await createTenant(service);
    const api = new Api(service.url, workspaceKey);
    expect((await api.upload(workspaceId, demandCsv(1, 30))).status).toBe(200);
    await api.run({});
    const end = String((await api.run({}))['finished_at']);
    expect(await output(NOTICE_CHANGES, { KEY: workspaceKey })).toContain(`next poll: SINCE=${end}\n`);
    const later = await output(NOTICE_CHANGES, { KEY: workspaceKey, SINCE: end });
    expect(later).toBe(`next poll: SINCE=${end}\n`);
  });

  it('print no time to continue from when a list cannot be read', async () => {
    const body = JSON.stringify({ code: 'not_ready', status: 503 });
    const server = createServer((_request, reply) => {
      reply.writeHead(503, { 'content-type': 'application/problem+json' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const BASE = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
      await expect(output(NOTICE_CHANGES, { BASE })).rejects.toMatchObject({
        code: expect.any(Number),
        stdout: expect.not.stringContaining('next poll'),
      });
    } finally {
      server.close();
    }
  });

  describe('the nightly job', () => {
    let api: Api;
    let settings: Record<string, string>;
    beforeEach(async () => {
      const { workspaceKey } = await createTenant(service);
      api = new Api(service.url, workspaceKey);
      settings = { KEY: workspaceKey };
      writeFileSync(join(directory, 'demand.csv'), demandCsv(3, 36));
    });
    const nightly = async (more: Record<string, string> = {}): Promise<string> => {
      const job = shellBlocks(NIGHTLY_JOB).find((block) => block.startsWith('set -eu'))!;
      return run(job, { ...settings, ...more });
    };
    const onlyRun = async (): Promise<string> => {
      const [run, ...others] = (await api.get<{ id: string }[]>('/runs')).body;
      expect(others).toEqual([]);
      return run!.id;
    };

    it('ends with one run and its forecast, however often it is started', async () => {
      const printed = await Promise.all([nightly(), nightly()]);
      printed.push(await nightly());
      const id = await onlyRun();
      for (const text of printed) expect(text).toContain(`run ${id}, 19 lines`);
      expect(readFileSync(join(directory, 'forecast.csv'), 'utf8')).toMatch(/^unique_id,ds,([^\n]*\n){19}$/);
      expect(readdirSync(directory).filter((name) => name.startsWith('nightly-'))).toEqual([]);
    });

    it('starts one run if the response is lost, and waits while the service is busy with it or switched off', async () => {
      const inUse = '{"status":409,"code":"idempotency_key_in_use"}';
      const faults = new Map<string, ((reply: ServerResponse) => unknown)[]>([
        ['POST /api/v1/runs', [(reply) => reply.destroy(), (reply) => reply.writeHead(409).end(inUse)]],
        ['GET /api/v1/runs', [(reply) => reply.writeHead(503, { 'retry-after': '1' }).end()]],
      ]);
      const proxy = createServer((request, reply) => {
        const passed = httpRequest(`${service.url}${request.url}`, {
          method: request.method,
          headers: request.headers,
        });
        passed.on('response', (response) => {
          const route = `${request.method} ${request.url!.split('/', 4).join('/')}`;
          const fault = faults.get(route)?.shift();
          if (fault) {
            response.resume();
            fault(reply);
          } else response.pipe(reply.writeHead(response.statusCode!, response.headers));
        });
        request.pipe(passed);
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      try {
        const printed = await nightly({ BASE: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/v1` });
        expect(printed).toContain(`run ${await onlyRun()}, 19 lines`);
        expect([...faults.values()].flat()).toEqual([]);
      } finally {
        proxy.close();
      }
    });

    it('says why it was rejected, and keeps the forecast of the day before', async () => {
      writeFileSync(join(directory, 'forecast.csv'), 'yesterday');
      writeFileSync(join(directory, 'demand.csv'), 'unique_id,ds,y\nA,2026-09,many\n');
      await expect(nightly()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/: 400 .*invalid_data/) });
      expect(readFileSync(join(directory, 'forecast.csv'), 'utf8')).toBe('yesterday');
      expect((await api.get('/runs')).body).toEqual([]);
    });
  });

  it('at the beginning of docs/api.md run as pasted', async () => {
    const prints = /"rows":6,[^]*unique_id,ds,q10,q50,q90,[^]*(?:FIRST-1,\d{4}-\d\d-01,.*\s+){12}$/;
    expect(await output(API)).toMatch(prints);
    const { organizationKey } = await createTenant(service);
    expect(await output(API, { KEY: organizationKey })).toMatch(prints);
  });

  // in an interactive shell, without `set -e`, the calls after a rejected one are made all the same
  it.each([
    ['docs/api.md', API],
    ['the first recipe', join(RECIPES, '1-first-forecast.md')],
  ])('in %s end, and show why, if the key is rejected', async (_name, page) => {
    const pasted = promisify(execFile)('sh', ['-c', shellBlocks(page).join('\n')], {
      cwd: directory,
      env: { ...environment, KEY: 'fk_mistyped', POLL_SECONDS: '0.1' },
      timeout: 20_000,
    });
    const ended = await pasted.catch((error: unknown) => error);
    expect(ended).not.toMatchObject({ killed: true });
    expect(ended).toMatchObject({
      stdout: expect.stringContaining('api_key_invalid'),
      stderr: expect.not.stringContaining('bad/illegal format'),
    });
  });

  it('in docs/odata.md run as pasted', async () => {
    expect(await output(ODATA)).toMatch(
      /"unique_id":"SKU-\d","q10":[^]*"series":\{"category":[^]*"month":"\d{4}-\d\d-01","total":[^]*\n\d+\n[^]*"workspace":\{"id":[^]*#Workspaces\/\$entity/,
    );
  });
});
