import { bigcommerce } from './bigcommerce/bigcommerce.js';
import { businessCentral } from './business-central/business-central.js';
import { netsuite } from './netsuite/netsuite.js';
import { odoo } from './odoo/odoo.js';
import type { Platform, PlatformName } from './platform.js';
import { quickbooks } from './quickbooks.js';
import { shopify } from './shopify/shopify.js';
import { woocommerce } from './woocommerce/woocommerce.js';
import { xero } from './xero.js';

/** All platforms by name. */
export const PLATFORMS: Readonly<Record<PlatformName, Platform>> = {
  shopify,
  woocommerce,
  bigcommerce,
  quickbooks,
  xero,
  odoo,
  business_central: businessCentral,
  netsuite,
};

export function findPlatform(name: string): Platform | undefined {
  return Object.hasOwn(PLATFORMS, name) ? PLATFORMS[name as PlatformName] : undefined;
}
