import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { COMPANY, ENTRA_TENANT } from './business-central-server.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';
import { TENANT } from './xero-server.js';

/** A platform that gives tokens and refuses whatever else is asked, in the words that the test gives. */
class Refusing extends PlatformServer {
  refusal: PlatformReply = {};

  protected answer({ path }: PlatformRequest): PlatformReply {
    const issued = { access_token: 'a', refresh_token: 'r', expires_in: 3_600 };
    return path.endsWith('/token') ? { body: issued } : this.refusal;
  }
}

const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });

describe('a connection test reports a refusal', () => {
  const workspace = connectedWorkspace();
  const server = platformOfEachTest(() => new Refusing());
  const oauth = () => ({ client_id: 'c', client_secret: 's', api_url: server.url, token_url: `${server.url}/token` });
  const settings: Readonly<Record<string, () => Record<string, unknown>>> = {
    shopify: () => ({ shop: 'example.myshopify.com', access_token: 'shpat_1', api_url: server.url }),
    woocommerce: () => ({ site_url: server.url, consumer_key: 'ck_1', consumer_secret: 'cs_1' }),
    bigcommerce: () => ({ store_hash: 'abc123', access_token: 't', api_url: server.url }),
    quickbooks: () => ({ realm_id: '42', refresh_token: 'r', ...oauth() }),
    xero: () => ({ tenant_id: TENANT, refresh_token: 'r', ...oauth() }),
    odoo: () => ({ url: server.url, database: 'erp', api_key: 'k' }),
    business_central: () => ({ tenant_id: ENTRA_TENANT, company_id: COMPANY, ...oauth() }),
    netsuite: () => ({
      account_id: '1',
      certificate_id: 'k',
      client_id: 'c',
      private_key: KEY,
      api_url: server.url,
      token_url: `${server.url}/token`,
    }),
  };
  const denied = (...messages: readonly string[]): PlatformReply => ({
    body: { data: null, errors: messages.map((message) => ({ message, extensions: { code: 'ACCESS_DENIED' } })) },
  });

  const blocked = '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD>You have no permission in the scope of this server.';

  it.each<[platform: string, what: string, refusal: PlatformReply, code: string, says: RegExp]>([
    [
      'shopify',
      'an app without read_products',
      denied('Access denied for product field. Required access: `read_products` access scope.'),
      'access_revoked',
      /Grant it read_products/,
    ],
    [
      'shopify',
      'an app without read_orders',
      denied('Access denied for orders field. Required access: `read_orders` access scope.'),
      'access_revoked',
      /Grant it read_orders/,
    ],
    [
      'shopify',
      'an app without either scope',
      denied(
        'Access denied for orders field. Required access: `read_orders` access scope.',
        'Access denied for products field. Required access: `read_products` access scope.',
      ),
      'access_revoked',
      /Grant it read_orders and read_products/,
    ],
    [
      'shopify',
      'an app that Shopify has not approved for customer data in orders',
      denied(
        'This app is not approved to access the Order object. See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.',
      ),
      'access_revoked',
      /protected customer data/,
    ],
    ['shopify', 'a frozen shop', { status: 402, body: { errors: 'Unavailable Shop' } }, 'request_refused', /frozen/],
    [
      'shopify',
      'a closed shop',
      { body: { errors: [{ message: 'Inactive', extensions: { code: 'SHOP_INACTIVE' } }] } },
      'request_refused',
      /closed/,
    ],
    ['shopify', 'a locked shop', { status: 423, body: { errors: 'Locked' } }, 'request_refused', /locked/],
    [
      'shopify',
      'an unknown shop',
      { status: 404, body: { errors: 'Not Found' } },
      'request_refused',
      /does not know this shop/,
    ],
    [
      'woocommerce',
      'a key that did not arrive',
      { status: 401, body: { code: 'woocommerce_rest_cannot_view' } },
      'credentials_refused',
      /Authorization header/,
    ],
    [
      'woocommerce',
      'a key that may only write',
      { status: 401, body: { code: 'woocommerce_rest_authentication_error' } },
      'credentials_refused',
      /permission Read/,
    ],
    [
      'woocommerce',
      'a key of a user who may not read orders',
      { status: 403, body: { code: 'woocommerce_rest_cannot_view' } },
      'access_revoked',
      /user of the key/,
    ],
    ['shopify', 'a firewall', { status: 403, body: blocked }, 'request_refused', /answered 403/],
    ['business_central', 'a firewall', { status: 403, body: blocked }, 'request_refused', /answered 403/],
    ['netsuite', 'a firewall', { status: 403, body: blocked }, 'request_refused', /answered 403/],
    ['woocommerce', 'a site without the API', { status: 404, body: '<html>' }, 'request_refused', /permalinks/],
    [
      'woocommerce',
      'a site with plain permalinks',
      { status: 301, headers: { location: 'https://shop.example/wp-json/wc/v3/orders/?per_page=1' } },
      'request_refused',
      /permalinks/,
    ],
    [
      'woocommerce',
      'a site at another address',
      { status: 301, headers: { location: 'https://www.shop.example/wp-json/wc/v3/orders?per_page=1' } },
      'redirected',
      /final URL/,
    ],
    [
      'bigcommerce',
      'a token that was deleted or belongs to another store',
      { status: 401, body: { status: 401, title: 'Unauthorized' } },
      'credentials_refused',
      /API account of the store `store_hash`/,
    ],
    [
      'bigcommerce',
      'an API account without the scope',
      { status: 403, body: { status: 403, title: "You don't have a required scope to access the endpoint" } },
      'access_revoked',
      /Grant it the scope Orders/,
    ],
    [
      'odoo',
      'an expired key',
      { status: 401, body: { name: 'werkzeug.exceptions.Unauthorized', message: 'Invalid apikey' } },
      'credentials_refused',
      /three months at most.*Create a new one/,
    ],
    [
      'quickbooks',
      'a company that has not authorized the app, or no longer does',
      {
        status: 403,
        body: {
          fault: {
            error: [
              { message: 'message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403', code: '3100' },
            ],
            type: 'AuthorizationFault',
          },
        },
      },
      'access_revoked',
      /disconnected the app, `realm_id` belongs to another company/,
    ],
    [
      'quickbooks',
      'a user who is no longer an administrator of the company',
      {
        status: 401,
        body: {
          Fault: {
            Error: [
              {
                Message: 'Authorization Failure',
                Detail: 'AuthorizationFailure: -11014-You do not have access to use QuickBooks Online Plus.',
                code: '120',
              },
            ],
            type: 'AuthorizationFault',
          },
        },
      },
      'access_revoked',
      /an administrator of the company authorize the app/,
    ],
    [
      'quickbooks',
      'a new token that does not work',
      {
        status: 401,
        body: {
          fault: {
            error: [{ message: 'message=AuthenticationFailed; errorCode=003200; statusCode=401', code: '3200' }],
            type: 'AUTHENTICATION',
          },
        },
      },
      'credentials_refused',
      /rejects the credentials/,
    ],
    [
      'xero',
      'an app without the scope',
      { status: 401, body: { Detail: 'AuthorizationUnsuccessful' } },
      'access_revoked',
      /accounting\.invoices\.read/,
    ],
    [
      'xero',
      'an app without the scope, reported in the header only',
      { status: 401, headers: { 'www-authenticate': 'insufficient_scope' } },
      'access_revoked',
      /accounting\.invoices\.read/,
    ],
    [
      'xero',
      'an organisation that has disconnected the app',
      { status: 403, body: { Detail: 'AuthenticationUnsuccessful' } },
      'access_revoked',
      /disconnected/,
    ],
    ['odoo', 'an Odoo without the API', { status: 404, body: '<html>' }, 'request_refused', /Odoo 19/],
    [
      'odoo',
      'an Odoo that sells nothing',
      { status: 404, body: { message: "the model 'sale.order.line' does not exist" } },
      'request_refused',
      /neither sales orders nor a point of sale/,
    ],
    [
      'odoo',
      'a web server that drops the key',
      { status: 401, body: { message: 'User not authenticated, use an API Key with a Bearer Authorization header.' } },
      'credentials_refused',
      /drops the Authorization header/,
    ],
    [
      'odoo',
      'an address of its web client',
      { status: 400, body: '<p>Session expired (invalid CSRF token)</p>' },
      'request_refused',
      /Check both/,
    ],
    [
      'odoo',
      'an invalid request',
      { status: 400, body: { name: 'werkzeug.exceptions.BadRequest', message: 'could not parse the body as json' } },
      'request_refused',
      /answered 400\.$/,
    ],
    [
      'business_central',
      'an app unknown there',
      { status: 401, body: { error: { code: 'Authentication_InvalidCredentials' } } },
      'credentials_refused',
      /Microsoft Entra Applications/,
    ],
    ['business_central', 'no such company', { status: 404, body: {} }, 'request_refused', /no such `environment`/],
    [
      'netsuite',
      'a role without the right',
      {
        status: 400,
        body: {
          'o:errorDetails': [
            {
              detail: 'Your current role does not have permission to perform this action.',
              'o:errorCode': 'USER_ERROR',
            },
          ],
        },
      },
      'access_revoked',
      /role of the integration/,
    ],
    [
      'netsuite',
      'an account without a field',
      {
        status: 400,
        body: {
          'o:errorDetails': [
            {
              detail: "Search error occurred: Field 'iscogs' for record 'transactionline' was not found.",
              'o:errorCode': 'INVALID_PARAMETER',
            },
          ],
        },
      },
      'request_refused',
      /answered 400/,
    ],
  ])('by %s: %s', async (platform, _what, refusal, code, says) => {
    server.refusal = refusal;
    const id = await workspace.connect(platform, settings[platform]!(), { enabled: false });
    const { body } = await workspace.post(`/${id}/test`);
    expect(body).toMatchObject({ ok: false, code, message: expect.stringMatching(says) });
    const { needs_reconnect } = (await workspace.get(`/${id}`)).body;
    expect(needs_reconnect).toBe(code !== 'request_refused' && code !== 'redirected');
  });
});
