import { PlatformFault } from '../../platform-fault.js';

const SCOPES = ['read_orders', 'read_products'];

/** The fault of an app that was not granted what it requests, or no longer is. @param message Shopify's */
export function accessDenied(message: string): PlatformFault {
  if (/protected-customer-data|not approved to access/i.test(message)) {
    return PlatformFault.revoked(
      'Shopify has not approved the app for protected customer data, which includes orders. Request access in the settings of the app.',
    );
  }
  const named = SCOPES.filter((scope) => message.includes(scope));
  const lacking = named.length > 0 ? named : SCOPES;
  return PlatformFault.revoked(
    `The app does not have the required access to the shop. Grant it ${lacking.join(' and ')}.`,
  );
}

/** Statuses that are about the shop, not the request: shopify.dev, API response status codes. */
const SHOPS: Readonly<Record<number, string>> = {
  402: 'The shop is frozen. Its owner must pay the outstanding Shopify bill.',
  404: 'Shopify does not know this shop or this `api_version`.',
  423: 'Shopify has locked the shop.',
};

/** The fault of a shop that is closed or does not exist; undefined for other statuses. The same credentials may work again later. */
export function shopFault(status: number | undefined): PlatformFault | undefined {
  const message = SHOPS[status ?? 0];
  return message === undefined ? undefined : PlatformFault.closed('request_refused', message, status);
}

/** The same, reported in the response to a query (SHOP_INACTIVE). */
export const shopInactive = (): PlatformFault =>
  PlatformFault.closed('request_refused', 'The shop is not active. Its owner has closed or paused it.');
