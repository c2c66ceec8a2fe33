import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../config/paths.js';
import { createTenant } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

const RECIPES = join(PROJECT_ROOT, 'docs', 'recipes');

/** What each recipe prints when its calls work, in the order in which they build on each other. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  '1-first-forecast.md': /"rows":108[\s\S]*completed\nunique_id,ds,q10,q50,q90,[\s\S]*SKU-3,2026-06-01,/,
  '2-safety-stock.md': /"reorder_point":[\d.]+[\s\S]*Expect about [\d.]+ kg/,
  '3-notice-changes.md': /run [0-9a-f-]{36} completed [\s\S]*next poll: SINCE=20/,
  '4-page-by-page.md': /18 rows\n\[\{"unique_id":"SKU-2"/,
  '5-repeatable-job.md':
    /"quota":\d+[\s\S]*202 202\none run: [0-9a-f-]{36}\ninvalid_request: config_overrides\.horizon/,
};

/** The page about the feed, which has calls to paste too. */
const ODATA = join(PROJECT_ROOT, 'docs', 'odata.md');

/** The shell blocks of a page, as somebody would paste them one after another. */
function scriptOf(path: string): string {
  const page = readFileSync(path, 'utf8');
  return ['set -eu', ...[...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block)].join('\n');
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

  it('are all run here', () => {
    expect(
      readdirSync(RECIPES)
        .filter((name) => name !== 'README.md')
        .sort(),
    ).toEqual(Object.keys(PRINTS));
  });

  async function output(path: string): Promise<string> {
    const options = { cwd: directory, env: environment, timeout: 50_000 };
    return (await promisify(execFile)('sh', ['-c', scriptOf(path)], options)).stdout;
  }

  it.each(Object.entries(PRINTS))('%s runs as pasted', async (recipe, prints) => {
    expect(await output(join(RECIPES, recipe))).toMatch(prints);
  });

  it('and the examples of docs/odata.md run as pasted', async () => {
    expect(await output(ODATA)).toMatch(
      /"unique_id":"SKU-\d","q10":[^]*"series":\{"category":[^]*"month":"\d{4}-\d\d-01","total":[^]*\n\d+\n[^]*"workspace":\{"id":[^]*#Workspaces\/\$entity/,
    );
  });
});
