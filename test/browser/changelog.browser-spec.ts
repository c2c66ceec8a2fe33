import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PROJECT_ROOT } from '../../config/paths.js';
import { AppClient } from '../support/app-client.js';
import { launchBrowser } from '../support/pages/browser.js';
import { createSession, createUser } from '../support/builders.js';
import { shownTexts, withLowContrast } from '../support/pages/shown-texts.js';
import { startTestService, type TestService } from '../support/test-service.js';

const RELEASES = [
  {
    version: '10.2.0',
    released_on: '2026-12-08',
    title: 'Know why a forecast moved',
    notes:
      'Two runs side by side now tell where a change comes from. A long address does not break the page: https://example.com/a/very/long/address/that/goes/on/and/on/without/any/place/to/break/it/at/all?query=1\n\n```\nGET /api/v1/runs/{current}/compare/{prior}/forecast-explain\n```',
    entries: [
      { kind: 'added', text: 'Explanation of the change between two runs, per series and month.' },
      { kind: 'added', text: 'Cancel a run with `POST /api/v1/runs/{run_id}/cancel`.' },
      {
        kind: 'changed',
        text: 'Alerts name the month they are about.\n\n> Automations that read `period` need no change.',
      },
      { kind: 'fixed', text: 'A series with a single sale was left out of the safety stock.' },
      { kind: 'security', text: 'Sessions end when the password changes.' },
      { kind: 'deprecated', text: 'The filter value `complete`; write `completed`.' },
      { kind: 'removed', text: 'Nothing anyone used.' },
    ],
  },
  {
    version: '10.2.1-rc.1',
    released_on: '2026-12-12',
    title: 'A smaller release, to try',
    notes: 'For those who like to look ahead.\n\n| plan | runs |\n|---|---|\n| growth | 200 |\n| scale | 1,000 |',
  },
];

describe('the changelog in a browser', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startTestService();
    const { id } = await createUser(service.database, { isOperator: true });
    const operator = new AppClient(service.url, await createSession(service.database, id));
    for (const release of RELEASES) expect((await operator.post('/admin/releases', release)).status).toBe(201);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(colorScheme: 'light' | 'dark', width: number): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      javaScriptEnabled: true,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    await page.goto(`${service.url}/changelog`);
    return { page, complaints };
  }

  it.each([
    ['light', 1_180],
    ['light', 360],
    ['dark', 1_180],
    ['dark', 360],
  ] as const)(
    'is readable in %s at %d pixels: no horizontal scrolling, no console errors, sufficient contrast',
    async (scheme, width) => {
      const { page, complaints } = await open(scheme, width);

      expect(complaints).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const texts = await shownTexts(page);
      expect(texts.length).toBeGreaterThan(30);
      expect(withLowContrast(texts)).toEqual([]);
      const folder = process.env['SCREENSHOTS'];
      if (folder !== undefined)
        await page.screenshot({ path: join(PROJECT_ROOT, folder, `changelog-${scheme}-${width}.png`), fullPage: true });
    },
  );

  it('links to each release by its version', async () => {
    const { page } = await open('light', 1_180);

    await page.click('a.version >> text="10.2.0"');

    expect(page.url()).toBe(`${service.url}/changelog#v10.2.0`);
    expect(await page.evaluate(`document.querySelector('article:target h2').textContent`)).toBe(
      'Know why a forecast moved',
    );
  });
});
