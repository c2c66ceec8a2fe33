import { describe, expect, it } from '@jest/globals';
import { PLATFORMS } from '../platforms/registry.js';
import { accountOf } from './account.js';

describe('the account of a connector', () => {
  it('is the same however its address is written', () => {
    const typed = ['https://shop.example.com', 'http://SHOP.example.com/', 'https://shop.example.com:443//'];
    const accounts = typed.map((site_url) => accountOf(PLATFORMS.woocommerce, { site_url }));
    expect(new Set(accounts)).toEqual(new Set(['shop.example.com']));
  });

  it('differs by path, port and company', () => {
    const site = (site_url: string): string => accountOf(PLATFORMS.woocommerce, { site_url });
    const accounts = ['https://a.example.com', 'https://a.example.com/en', 'https://a.example.com:8443'].map(site);
    expect(new Set(accounts).size).toBe(3);
    const company = (company_id: string): string =>
      accountOf(PLATFORMS.business_central, { tenant_id: 't', environment: 'production', company_id });
    expect(company('A')).not.toBe(company('B'));
  });

  it('is identified by at least one required field on every platform', () => {
    for (const platform of Object.values(PLATFORMS)) {
      expect(platform.fields.filter(({ identifies, required }) => identifies === true && required)).not.toEqual([]);
    }
  });
});
