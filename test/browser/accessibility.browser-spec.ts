import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe, { type AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { GUIDE_NAMES } from '../../src/start/docs/guide-list.js';
import { launchBrowser } from '../support/pages/browser.js';
import { startTestService, type TestService } from '../support/test-service.js';

/** What Swagger UI's own markup breaks: buttons within buttons, the third level of headings below the first, a title outside its landmarks. */
const OF_SWAGGER_UI = ['heading-order', 'nested-interactive', 'region'];

describe('the accessibility of the pages, by axe', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startTestService();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** The violations of axe's rules in a page, as "rule: first element". */
  async function violationsOf(path: string, drawn = 'h1'): Promise<string[]> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(service.url + path);
    await page.locator(drawn).first().waitFor();
    await page.evaluate(axe.source);
    const { violations, passes } = await page.evaluate<AxeResults>('axe.run()');
    await context.close();
    expect(passes.length).toBeGreaterThan(10);
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
  }

  it.each(['/', '/changelog', '/docs/guides', '/invitations', '/password-reset', '/email-change'])(
    'finds no fault in %s',
    async (path) => {
      expect(await violationsOf(path)).toEqual([]);
    },
  );

  it('finds no fault in any guide', async () => {
    const faults: [string, string[]][] = [];
    for (const name of GUIDE_NAMES) faults.push([name, await violationsOf(`/docs/guides/${name}`)]);
    expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('finds no fault in the API reference but those of Swagger UI', async () => {
    const found = await violationsOf('/docs', '.opblock');
    expect(found.filter((fault) => !OF_SWAGGER_UI.includes(fault.slice(0, fault.indexOf(':'))))).toEqual([]);
  });
});
