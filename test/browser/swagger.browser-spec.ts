import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { demandCsv } from '../support/api.js';
import { launchBrowser } from '../support/pages/browser.js';
import { shownTexts, withLowContrast } from '../support/pages/shown-texts.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('Swagger UI in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let tenant: Tenant;

  beforeAll(async () => {
    service = await startTestService();
    ({ tenant } = await tenantWithDemand(service, demandCsv(2, 24)));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  it('authorizes with a key and executes a call', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text()); // what the content security policy stops too
    });
    await page.goto(`${service.url}/docs`);

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.auth-container', { hasText: 'X-API-Key' });
    await dialog.locator('input[type=text]').fill(tenant.workspaceKey);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.close-modal').click();

    const operation = page.locator('#operations-Series-Series_list');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const reply = operation.locator('.live-responses-table');
    await reply.waitFor();
    expect(await reply.locator('.response-col_status').last().innerText()).toMatch(/^200/);
    expect(await reply.locator('.highlight-code').first().innerText()).toContain('"unique_id": "P0001"');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('describes every operation of the document', async () => {
    // only what is in view is drawn
    const page = await browser.newPage({ viewport: { width: 1280, height: 30_000 } });
    await page.goto(`${service.url}/docs`);
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const operations = Object.values(paths).flatMap((item) => Object.keys(item));
    const drawn = page.locator('.opblock');
    await drawn.nth(operations.length - 1).waitFor();
    expect(await drawn.count()).toBe(operations.length);
    await page.close();
  });

  /** Opens the page, and in it the operation that uploads demand: one with parameters, a body, and replies with headers. */
  async function openUpload(options: BrowserContextOptions): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`${service.url}/docs`);
    const operation = page.locator('#operations-Demand-Actuals_upload');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.headers').first().waitFor();
    return page;
  }

  it('fits a phone without horizontal scrolling', async () => {
    const page = await openUpload({ viewport: { width: 360, height: 800 }, isMobile: true });
    expect(await page.evaluate('[innerWidth, document.documentElement.scrollWidth]')).toEqual([360, 360]);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has sufficient text contrast in %s', async (colorScheme) => {
    const page = await openUpload({ viewport: { width: 1280, height: 900 }, colorScheme });
    await page.addStyleTag({ content: '* { transition: none !important; }' });
    const texts = await shownTexts(page);
    expect(texts.length).toBeGreaterThan(100);
    expect(withLowContrast(texts)).toEqual([]);
    await page.close();
  });

  it('has no links to outside the service', async () => {
    const page = await openUpload({ viewport: { width: 1280, height: 900 } });
    const addresses = await page.evaluate<string[]>(
      `[...document.querySelectorAll('a[href]')].filter((link) => link.checkVisibility()).map(({ href }) => href)`,
    );
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.filter((address) => !address.startsWith(`${service.url}/`))).toEqual([]);
    await page.close();
  });

  it('links to the guides, which fit a phone', async () => {
    const phone = { viewport: { width: 360, height: 800 }, isMobile: true, colorScheme: 'dark' } as const;
    const context = await browser.newContext(phone);
    const reference = await context.newPage();
    await reference.goto(`${service.url}/docs`);
    const opened = context.waitForEvent('page');
    await reference.getByRole('link', { name: 'guides', exact: true }).click();
    const page = await opened;
    await page.getByRole('heading', { name: 'Guides' }).waitFor();
    const addresses = await page.evaluate<string[]>(`[...document.querySelectorAll('main a')].map(({ href }) => href)`);
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) {
      await page.goto(address);
      const [shown, wide] = await page.evaluate<[number, number]>('[innerWidth, document.documentElement.scrollWidth]');
      expect([address, shown, wide]).toEqual([address, 360, 360]);
      expect(withLowContrast(await shownTexts(page))).toEqual([]);
    }
    await context.close();
  });

  it.each(['/docs', '/docs/'])('lists the routes and links to the document without JavaScript, at %s', async (path) => {
    const page = await browser.newPage({ javaScriptEnabled: false, colorScheme: 'dark' });
    await page.goto(service.url + path);
    expect(withLowContrast(await shownTexts(page))).toEqual([]);
    await page.getByText('POST /api/v1/runs', { exact: true }).waitFor({ timeout: 5_000 });
    await page.getByRole('link', { name: 'OpenAPI document' }).click({ timeout: 5_000 });
    expect(page.url()).toBe(`${service.url}/openapi.json`);
    await page.close();
  });
});
