import { PlatformFault } from '../../platform-fault.js';

/** The fault of an app that was not granted what it asks for, or no longer is. @param message Shopify's */
export function accessDenied(message: string): PlatformFault {
  if (/protected-customer-data|not approved to access/i.test(message)) {
    return PlatformFault.revoked(
      'Shopify has not approved the app for protected customer data, which orders are: ask for it in the settings of the app.',
    );
  }
  const scope = message.includes('read_products') ? 'read_products' : 'read_orders';
  return PlatformFault.revoked(`The app may not read what it needs of the shop: grant it ${scope}.`);
}

/** Statuses that tell of the shop, not of the request: shopify.dev, API response status codes. */
const SHOPS: Readonly<Record<number, string>> = {
  402: 'The shop is frozen: its owner has to pay what it owes Shopify.',
  404: 'Shopify knows no such shop, or no such `api_version`.',
  423: 'The shop is locked by Shopify.',
};

/** The fault of a shop that is not open, or is none; the same credentials may let in again. */
export function shopFault(status: number | undefined): PlatformFault | undefined {
  const message = SHOPS[status ?? 0];
  return message === undefined ? undefined : PlatformFault.closed('request_refused', message, status);
}

/** The same as an answer to a query (SHOP_INACTIVE). */
export const shopInactive = (): PlatformFault =>
  PlatformFault.closed('request_refused', 'The shop is not active: its owner has closed or paused it.');
