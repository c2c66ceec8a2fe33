import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { insertPasswordReset } from '../../src/access/password-reset/password-resets.queries.js';
import { hashLinkToken } from '../../src/access/users/link-token.js';
import { newId } from '../../src/platform/ids.js';
import { AppClient } from '../support/app-client.js';
import { launchBrowser } from '../support/pages/browser.js';
import { createMember, createTenant, createUser } from '../support/builders.js';
import { shownTexts, withLowContrast } from '../support/pages/shown-texts.js';
import { startTestService, type TestService } from '../support/test-service.js';

const PASSWORD = 'a long enough password';

describe('the pages that e-mail links lead to, in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    service = await startTestService();
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // refused requests are logged by the browser itself
      if (message.type() === 'error' && !/status of [45]/.test(message.text())) faults.push(message.text());
    });
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    expect(faults).toEqual([]);
  });

  const open = async (path: string): Promise<void> => {
    await page.goto('about:blank'); // the same page with another fragment would not be loaded again
    await page.goto(service.url + path);
  };
  const shown = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor({ timeout: 10_000 });
  const login = (email: string) => new AppClient(service.url).post('/auth/login', { email, password: PASSWORD });

  it('create an account from an invitation and remove the token from the address bar', async () => {
    const { organizationId } = await createTenant(service);
    const owner = await createMember(service.database, organizationId, 'owner');
    const invited = await new AppClient(service.url, owner.token).post(`/orgs/${organizationId}/invitations`, {
      email: 'guest@example.com',
      role: 'viewer',
    });
    await open(`/invitations#${String(invited.body['token'])}`);
    expect(page.url()).toBe(`${service.url}/invitations`);
    await page.getByLabel('Your name').fill('Grace');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Accept' }).click();
    await shown('You are now a member');
    await page.getByText(`POST ${service.url}/auth/login`).waitFor({ timeout: 10_000 });
    await page.getByRole('link', { name: `${service.url}/docs` }).waitFor({ timeout: 10_000 });
    expect((await login('guest@example.com')).status).toBe(200);

    await open(`/invitations#${String(invited.body['token'])}`);
    await page.getByLabel('Your name').fill('Grace');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Accept' }).click();
    await shown('The link has expired or was already used.');
    await open('/invitations');
    await shown('The link is incomplete.');
  });

  it('set a new password through a link, and request such a link without one', async () => {
    const user = await createUser(service.database);
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + 60_000);
    const reset = { id: newId(), userId: user.id, tokenHash: hashLinkToken('fr_known'), createdAt, expiresAt };
    await insertPasswordReset(service.database, reset);
    await open('/password-reset#fr_known');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await shown('Your password was set');
    expect(await page.evaluate('document.activeElement.id')).toBe('status');
    expect((await login(user.email)).status).toBe(200);

    await open('/password-reset');
    await page.getByLabel('Email address').fill(user.email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await shown('This installation does not send email');
  });

  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent');

  it('show errors under the label of the field and keep keyboard focus', async () => {
    await open('/password-reset#fr_unknown');
    await page.getByLabel('New password').fill(' '.repeat(12));
    await page.keyboard.press('Enter');
    await shown('New password must not consist of spaces only.');
    expect(await focused()).toBe('with-new_password');
    expect(await page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true');

    await page.getByLabel('New password').fill(PASSWORD);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await shown('The link has expired or was already used.');
    expect(await focused()).toBe('Set the password');
    expect(await page.getByLabel('New password').getAttribute('aria-invalid')).toBeNull();
  });

  it.each(['light', 'dark'] as const)('fit a phone and have sufficient contrast in %s', async (colorScheme) => {
    const phone = await browser.newPage({ viewport: { width: 360, height: 800 }, isMobile: true, colorScheme });
    for (const path of ['/', '/invitations#fi_x', '/password-reset', '/password-reset#fr_x', '/email-change#fe_x']) {
      await phone.goto('about:blank');
      await phone.goto(service.url + path);
      expect([path, await phone.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360]);
      const texts = await shownTexts(phone);
      expect(texts.length).toBeGreaterThan(2);
      expect([path, withLowContrast(texts)]).toEqual([path, []]);
    }
    await phone.close();
  });
});
