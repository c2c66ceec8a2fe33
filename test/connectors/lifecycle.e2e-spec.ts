import { describe, expect, it } from '@jest/globals';
import { PLATFORM_NAMES, type PlatformName } from '../../src/connectors/platforms/platform.js';
import { eventually } from '../support/eventually.js';
import { BigCommerceServer } from './bigcommerce-server.js';
import { BusinessCentralServer } from './business-central-server.js';
import { connectedWorkspace } from './connected.js';
import { NetSuiteServer } from './netsuite-server.js';
import { OdooServer } from './odoo-server.js';
import type { PlatformServer } from './platform-server.js';
import { QuickBooksServer, sold } from './quickbooks-server.js';
import { ShopifyServer } from './shopify-server.js';
import { WooCommerceServer } from './woocommerce-server.js';
import { XeroServer } from './xero-server.js';

type Settings = Readonly<Record<string, string>>;

/** A platform with one order of soap, of 15 October. */
interface Trial {
  readonly server: PlatformServer & { readonly settings: Settings };
  /** Has the order be of a quantity from now on. @param second of 2026-11-01, when it changed */
  sell(quantity: number, second: number): void;
  /** Has the credentials work no more. @returns those that do */
  revoke(): Settings;
}

const at = (second: number): string => new Date(Date.UTC(2026, 10, 1, 0, 0, second)).toISOString();

const TRIALS: Readonly<Record<PlatformName, () => Trial>> = {
  shopify() {
    const server = new ShopifyServer();
    return {
      server,
      sell: (currentQuantity, second) =>
        void server.add({
          id: 1,
          processedAt: '2026-10-15T12:00:00Z',
          updatedAt: at(second),
          lines: [{ sku: 'SOAP', quantity: 10, currentQuantity }],
        }),
      revoke: () => ({ access_token: (server.token = 'shpat_another') }),
    };
  },
  woocommerce() {
    const server = new WooCommerceServer();
    return {
      server,
      sell: (quantity, second) => void server.add(1, second, [['SOAP', quantity]]),
      revoke: () => ({ consumer_secret: (server.secret = 'cs_another') }),
    };
  },
  bigcommerce() {
    const server = new BigCommerceServer();
    return {
      server,
      sell: (quantity, second) => void server.add(1, second, 'SOAP', quantity),
      revoke: () => ({ access_token: (server.token = 'another') }),
    };
  },
  quickbooks() {
    const server = new QuickBooksServer();
    return {
      server,
      sell(quantity, second) {
        server.records.clear();
        server.add('Invoice', 1, second, [sold('1', quantity)]);
      },
      revoke() {
        server.token = 'of another grant';
        return { refresh_token: (server.refreshToken = 'another') };
      },
    };
  },
  xero() {
    const server = new XeroServer();
    return {
      server,
      sell(quantity, second) {
        server.records['Invoices'] = [];
        server.add('Invoices', 'i1', second, [['SOAP', quantity]]);
      },
      revoke() {
        server.token = 'of another grant';
        return { refresh_token: (server.refreshToken = 'another') };
      },
    };
  },
  odoo() {
    const server = new OdooServer();
    return {
      server,
      sell(quantity, second) {
        server.models['sale.order'] = [];
        server.models['sale.order.line'] = [];
        server.add(1, second, [[1, quantity]]);
      },
      revoke: () => ({ api_key: (server.key = 'another') }),
    };
  },
  business_central() {
    const server = new BusinessCentralServer();
    return {
      server,
      sell(quantity, second) {
        server.records['salesInvoices'] = [];
        server.add('salesInvoices', 'i1', second, [['Item', 'SOAP', quantity]]);
      },
      revoke() {
        server.token = 'of another secret';
        return { client_secret: (server.client.secret = 'another') };
      },
    };
  },
  netsuite() {
    const server = new NetSuiteServer('P-256');
    return {
      server,
      sell(quantity, second) {
        server.transactions.length = 0;
        server.add(1, second, 'CustInvc', [['SOAP', -quantity]]);
      },
      revoke() {
        server.token = 'of another certificate';
        return { certificate_id: (server.certificate = 'another') };
      },
    };
  },
};

describe('an order', () => {
  const workspace = connectedWorkspace();

  it.each(PLATFORM_NAMES)(
    'of %s is imported, updated, skipped while credentials are refused, and stays counted',
    async (platform) => {
      const trial = TRIALS[platform]();
      const { server } = trial;
      await server.start();
      try {
        const soldNow = async () => (await workspace.sold())['SOAP'];
        trial.sell(10, 1);
        server.misbehave.push(
          { status: 503, body: '<html>Under maintenance</html>' },
          { body: '<html>Soon back</html>' },
        );
        const id = await workspace.connect(platform, server.settings);
        expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'completed', error: null });
        expect(await soldNow()).toEqual({ '2026-10-15': 10 });
        expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });

        trial.sell(7, 3_600);
        expect(await workspace.sync(id)).toMatchObject({ status: 'completed', progress: { orders_changed: 1 } });
        expect(await workspace.sync(id)).toMatchObject({ status: 'completed', progress: { orders_changed: 0 } });
        expect(await soldNow()).toEqual({ '2026-10-15': 7 });

        const settings = trial.revoke();
        trial.sell(4, 7_200);
        expect(await workspace.sync(id)).toMatchObject({ status: 'failed' });
        expect((await workspace.get(`/${id}`)).body).toMatchObject({ needs_reconnect: true, next_sync_at: null });
        expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: false });
        expect(await soldNow()).toEqual({ '2026-10-15': 7 });

        expect((await workspace.patch(`/${id}`, { settings })).status).toBe(200);
        await eventually('it works again', async () =>
          (await workspace.get(`/${id}`)).body['needs_reconnect'] === false ? true : undefined,
        );
        expect(await workspace.settled(id)).toMatchObject({ status: 'completed' });
        expect(await soldNow()).toEqual({ '2026-10-15': 4 });

        expect((await workspace.member.delete(`${workspace.path}/${id}`)).status).toBe(204);
        expect((await workspace.get(`/${id}`)).status).toBe(404);
        expect(await soldNow()).toEqual({ '2026-10-15': 4 });
      } finally {
        await server.stop();
      }
    },
  );
});
