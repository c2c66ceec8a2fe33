import type { Platform, PlatformName } from './platform.js';
import { shopify } from './shopify/shopify.js';
import { woocommerce } from './woocommerce/woocommerce.js';

/** Every platform by its name. */
export const PLATFORMS: Readonly<Record<PlatformName, Platform>> = { shopify, woocommerce };

export function findPlatform(name: string): Platform | undefined {
  return Object.hasOwn(PLATFORMS, name) ? PLATFORMS[name as PlatformName] : undefined;
}
