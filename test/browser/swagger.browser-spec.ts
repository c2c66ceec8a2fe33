import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { demandCsv } from '../support/api.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

const CHROMIUM =
  process.env['CHROMIUM'] ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));

describe('Swagger UI in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let tenant: Tenant;

  beforeAll(async () => {
    if (CHROMIUM === undefined) throw new Error('this suite needs Chromium; name it in CHROMIUM');
    service = await startTestService();
    ({ tenant } = await tenantWithDemand(service, demandCsv(2, 24)));
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-background-networking'],
    });
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
});
