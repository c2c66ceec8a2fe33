import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { BusinessCentralServer } from './business-central-server.js';
import { connectedWorkspace } from './connected.js';
import { NetSuiteServer } from './netsuite-server.js';
import { DOZEN, now, OdooServer, PIECE } from './odoo-server.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import type { PlatformRequest } from './platform-server.js';

describe('a connected ERP system', () => {
  const workspace = connectedWorkspace();

  describe('Odoo', () => {
    const erp = platformOfEachTest(() => new OdooServer());
    const connect = (api_key = erp.key) =>
      workspace.connect('odoo', { ...erp.settings, api_key }, { time_zone: 'Pacific/Auckland' });

    it('imports confirmed orders by product code, minus cancellations', async () => {
      const order = erp.add(1, 1, [
        [1, 10],
        [2, 3],
        [false, 0],
      ]);
      erp.add(2, 2, [[1, 100]], 'draft');
      erp.add(3, 3, [[1, 1_000]], 'cancel');
      const id = await connect();
      expect(await workspace.settled(id)).toMatchObject({
        status: 'completed',
        error: null,
        progress: { lines_skipped: 0 },
      });
      // noon in UTC is the next day there
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 10 }, 'product:2': { '2026-10-16': 3 } });
      order['state'] = 'cancel';
      order.write_date = '2026-11-02 00:00:00';
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({ SOAP: {}, 'product:2': {} });
    });

    it('continues past an order mistyped as the year 0026', async () => {
      erp.add(1, 1, [[1, 10]])['date_order'] = '0026-10-15 12:00:00';
      erp.add(2, 2, [[1, 3]]);
      expect(await workspace.settledAtOnce(await connect())).toMatchObject({ status: 'completed', error: null });
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 3 } });
    });

    it('counts each product in its own unit, whatever units its lines are sold in', async () => {
      const [kilogram, gram, pack, missing] = [3, 4, 5, 6];
      erp.unit(kilogram, 1);
      erp.unit(gram, 0.001);
      erp.unit(pack, 72);
      erp.product(3, 'CRATE', 'Kept by the dozen', DOZEN);
      erp.product(4, 'TEA', 'Kept by the kilogram', kilogram);
      erp.add(1, 1, [
        [1, 5],
        [1, 2, DOZEN],
        [1, 0.5, pack],
        [3, 3, PIECE],
        [3, 4, DOZEN],
        [4, 1_001, gram],
        [1, 1_000, missing],
      ]);
      const id = await connect();
      // the line in a unit that Odoo does not tell
      expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { lines_skipped: 1 } });
      expect(await workspace.sold()).toEqual({
        SOAP: { '2026-10-16': 65 },
        CRATE: { '2026-10-16': 4.25 },
        TEA: { '2026-10-16': 1.001 },
      });
    });

    it('detects lines that change without their order, and reads more than a page within one second', async () => {
      for (let id = 1; id <= 450; id += 1) erp.add(id, 5, [[1, 1]]);
      const id = await connect();
      await workspace.settled(id);
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 450 } });
      const line = erp.models['sale.order.line']![0]!;
      line['product_uom_qty'] = 51;
      line.write_date = now();
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 500 } });
    });

    it('reads an order with many pages of lines, each of which returns the whole order', async () => {
      erp.add(
        1,
        5,
        Array.from({ length: 4_300 }, () => [1, 1] as const),
      );
      expect(await workspace.settled(await connect())).toMatchObject({ status: 'completed', error: null });
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 4_300 } });
    });

    it('misses no order when others of the same second change meanwhile', async () => {
      for (let id = 1; id <= 450; id += 1) erp.add(id, 5, [[1, 1]]);
      const asked = new Map<string, number>();
      // each time changes are asked for again, the first row of the second has left it
      const touch = ({ path, body }: PlatformRequest): undefined => {
        const model = path.split('/')[3]!;
        if (!/"limit":200\b/.test(body)) return undefined;
        const times = asked.get(model) ?? 0;
        asked.set(model, times + 1);
        if (times > 0) erp.models[model]![times - 1]!.write_date = '2026-11-03 00:00:00';
      };
      erp.misbehave.push(...Array.from({ length: 60 }, () => touch));
      const id = await connect();
      await workspace.settled(id);
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 450 } });
    });

    it('reads each order once at first, and again if its lines change meanwhile', async () => {
      for (let id = 1; id <= 150; id += 1) erp.add(id, id, [[1, 1]]);
      const change = ({ path, body }: PlatformRequest): undefined => {
        const linesOfPage = path.includes('sale.order.line/search_read') && /"limit":2000\b/.test(body);
        if (!linesOfPage || changed) return;
        changed = true;
        // behind this reply: as it is, it is read with the page
        setImmediate(() =>
          Object.assign(erp.models['sale.order.line']![0]!, { product_uom_qty: 51, write_date: now() }),
        );
      };
      let changed = false;
      erp.misbehave.push(...Array.from({ length: 60 }, () => change));
      const id = await connect();
      expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { orders_read: 151 } });
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 200 } });
      expect(erp.requests.filter(({ path }) => path.endsWith('/context_get'))).toHaveLength(1);
    });

    describe('with the Point of Sale app', () => {
      it('counts its sales and returns, and counts sales order lines paid there once', async () => {
        erp.installPointOfSale();
        erp.add(1, 1, [[1, 10]]);
        const lines: [number, number][] = [
          [1, 10],
          [2, 4],
        ];
        erp.sell(1, 2, lines, { settles: 10 });
        const sale = erp.sell(2, 3, [[1, 5]], { state: 'done' });
        erp.sell(3, 4, [[1, -2]]);
        erp.sell(4, 5, [[1, 1_000]], { state: 'draft' });
        erp.sell(5, 6, [[1, 1_000]], { state: 'cancel' });
        const id = await connect();
        expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { orders_read: 6 } });
        expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 13 }, 'product:2': { '2026-10-16': 4 } });
        Object.assign(sale, { state: 'cancel', write_date: now() });
        Object.assign(
          erp.models['pos.order.line']!.find((line) => line.id === 11)!,
          { qty: 7, write_date: now() },
        );
        await workspace.sync(id);
        expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 8 }, 'product:2': { '2026-10-16': 7 } });
        expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });
      });

      it('is read alone when sales orders are not installed or the two are not linked', async () => {
        delete erp.models['sale.order'];
        delete erp.models['sale.order.line'];
        const id = await connect();
        const refused = { code: 'request_refused', message: expect.stringMatching(/neither sales orders/) };
        expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: refused });
        expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: false, ...refused });
        erp.installPointOfSale(false);
        erp.sell(1, 1, [[1, 5]]);
        expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
        expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 5 } });
        expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });
      });

      it('reports in a test that a key without access counts none of it, and reads everything once granted', async () => {
        erp.installPointOfSale();
        erp.denied.add('pos.order').add('pos.order.line');
        erp.add(1, 1, [[1, 10]]);
        erp.sell(1, 1, [[1, 5]]);
        const id = await connect();
        expect(await workspace.settled(id)).toMatchObject({ status: 'completed' });
        expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 10 } });
        expect((await workspace.post(`/${id}/test`)).body).toMatchObject({
          ok: true,
          account: expect.any(String),
          message: expect.stringMatching(/Point of Sale.*do not count/),
        });
        expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(false);
        erp.denied.clear();
        await workspace.sync(id);
        expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-16': 15 } });
      });

      it('fails when access is revoked, rather than silently ending its demand', async () => {
        erp.installPointOfSale();
        erp.sell(1, 1, [[1, 5]]);
        const id = await connect();
        await workspace.settled(id);
        erp.denied.add('pos.order').add('pos.order.line');
        const error = { code: 'access_revoked', message: expect.stringMatching(/Point of Sale/) };
        expect(await workspace.sync(id)).toMatchObject({ status: 'failed', error });
        delete erp.models['pos.order'];
        const gone = { code: 'request_refused', message: expect.stringMatching(/Start a full sync/) };
        expect(await workspace.sync(id)).toMatchObject({ status: 'failed', error: gone });
        delete erp.models['pos.order.line'];
        await workspace.post(`/${id}/sync`, { full: true });
        expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
      });
    });

    it('names a variant with its attributes in the language of the key’s user, without its code', async () => {
      erp.product(3, 'SHIRT-R', 'T-shirt (Red)', PIECE, 'T-Shirt (Rot)');
      erp.add(1, 1, [[3, 1]]);
      await workspace.settled(await connect());
      const api = new Api(workspace.service.url, workspace.workspaceKey);
      expect((await api.get('/series/SHIRT-R')).body).toMatchObject({ product_name: 'T-Shirt (Rot)' });
    });

    it.each(['sale.order', 'sale.order.line', 'product.product', 'uom.uom'])(
      'reports in a test that the key may not read %s, even without orders',
      async (model) => {
        erp.denied.add(model);
        const id = await workspace.connect('odoo', erp.settings, { enabled: false });
        const { body } = await workspace.post(`/${id}/test`);
        expect(body).toMatchObject({ ok: false, code: 'access_revoked' });
      },
    );

    it('reports in a test that the user sees only their own orders, and still reads those', async () => {
      erp.groups = ['sales_team.group_sale_salesman'];
      const id = await connect();
      const { body } = await workspace.post(`/${id}/test`);
      expect(body).toMatchObject({
        ok: false,
        code: 'request_refused',
        message: expect.stringMatching(/All Documents/),
      });
      expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
      erp.groups = []; // such as the user of a warehouse, who sees all of them
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });
    });

    it.each([
      ['an unknown database', () => ({ database: 'nosuch' })],
      ['the address of its web client', () => ({ url: `${erp.url}/odoo` })],
    ])('says what to check when given %s', async (_what, wrong) => {
      const id = await workspace.connect('odoo', { ...erp.settings, ...wrong() }, { enabled: false });
      const { body } = await workspace.post(`/${id}/test`);
      expect(body).toMatchObject({ ok: false, code: 'request_refused' });
      expect(body['message']).toMatch(/`database` at `url`\. Check both/);
    });

    it('asks for a new key when the key expires, as it does every three months', async () => {
      const id = await connect('a key of last year');
      expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: { code: 'credentials_refused' } });
      expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(true);
      await workspace.patch(`/${id}`, { settings: { api_key: erp.key } });
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true, account: 'erp' });
      expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(false);
    });
  });

  describe('Business Central', () => {
    const erp = platformOfEachTest(() => new BusinessCentralServer());
    const connect = (overrides: Record<string, string> = {}) =>
      workspace.connect('business_central', { ...erp.settings, ...overrides });

    it('imports items of open and paid invoices minus credit memos, over all pages', async () => {
      for (let id = 1; id <= 45; id += 1)
        erp.add('salesInvoices', `i${id}`, id, [
          ['Item', '1000', 1],
          ['Account', '8000', 9],
        ]);
      erp.add('salesInvoices', 'paid', 60, [['Item', '1000', 5]], 'Paid');
      const canceled = erp.add('salesInvoices', 'late', 61, [['Item', '1000', 100]]);
      erp.add('salesInvoices', 'draft', 62, [['Item', '1000', 1_000]], 'Draft');
      erp.add('salesCreditMemos', 'm1', 1, [['Item', '1000', 20]]);
      const id = await connect({ counted_statuses: 'Open, Paid' }); // as people write lists
      expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
      expect(await workspace.sold()).toEqual({ '1000': { '2026-10-15': 130 } });
      const pages = erp.requests.filter(({ path }) => /salesInvoices|salesCreditMemos/.test(path));
      expect(pages.map(({ headers }) => headers['prefer'])).toEqual(pages.map(() => 'odata.maxpagesize=500'));
      canceled.status = 'Canceled';
      canceled.changed = 100;
      erp.add('salesCreditMemos', 'of the canceled one', 100, [['Item', '1000', 100]], 'Corrective');
      erp.token = 'expired';
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({ '1000': { '2026-10-15': 30 } });
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true, account: 'CRONUS' });
      erp.displayName = '';
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true, account: "CRONUS d'Azur" });
    });

    it('imports all lines of an invoice whose page contains only the first', async () => {
      erp.linesAtOnce = 20;
      const lines = Array.from({ length: 45 }, (_, at) => ['Item', '1000', at + 1] as const);
      erp.add('salesInvoices', 'i1', 1, lines);
      erp.add('salesInvoices', 'i2', 2, [['Item', '1000', 1_000]]);
      const tooOften = { status: 429, headers: { 'retry-after': '1' } };
      erp.misbehave.push(undefined, undefined, tooOften); // behind the token and the page
      const id = await connect();
      expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null, progress: { pages: 2 } });
      expect(await workspace.sold()).toEqual({ '1000': { '2026-10-15': 2_035 } });
    });

    it('is asked for fewer invoices at a time when it runs out of memory', async () => {
      for (let id = 1; id <= 45; id += 1) erp.add('salesInvoices', `i${id}`, id, [['Item', '1000', 1]]);
      const most = 125;
      const answer = ({ headers }: PlatformRequest) =>
        Number(headers['prefer']?.split('=')[1] ?? 0) > most ? { status: 500 } : undefined;
      erp.misbehave.push(...Array.from({ length: 100 }, () => answer));
      expect(await workspace.settledAtOnce(await connect())).toMatchObject({ status: 'completed', error: null });
      expect(await workspace.sold()).toEqual({ '1000': { '2026-10-15': 45 } });
    });

    it('counts items in their base unit once it knows where units are published', async () => {
      erp.units.push(['1000', 'PCS', 1], ['1000', 'BOX', 12], ["L'EAU", 'L', 1], ["L'EAU", 'ML', 0.001]);
      const invoice = erp.add('salesInvoices', 'i1', 1, [
        ['Item', '1000', 5, 'PCS'],
        ['Item', '1000', 3],
        ['Item', '1000', 2, 'BOX'],
        ['Item', "L'EAU", 1_001, 'ML'],
        ['Item', '1000', 100, 'ML'],
      ]);
      const memo = erp.add('salesCreditMemos', 'm1', 1, [['Item', '1000', 1, 'BOX']]);
      const id = await connect();
      await workspace.settled(id);
      expect(await workspace.sold()).toEqual({ '1000': { '2026-10-15': 109 }, "L'EAU": { '2026-10-15': 1_001 } });

      await workspace.patch(`/${id}`, { settings: { units_service: 'NotPublished' } });
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: false, code: 'request_refused' });
      await workspace.patch(`/${id}`, { settings: { units_service: 'ItemUnits' } });
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });
      for (const record of [invoice, memo]) record.changed = 100;
      expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
      expect(await workspace.sold()).toEqual({ '1000': { '2026-10-15': 20 }, "L'EAU": { '2026-10-15': 1.001 } });
      // the settings begin syncs too: whichever came first has read the line in a unit that its item does not have
      const skipped = (await workspace.syncs(id)).map(({ progress }) => progress.lines_skipped);
      expect(skipped.filter((lines) => lines > 0)).toEqual([1]);
    });

    it('requests the units of fifty items at a time', async () => {
      const items = Array.from({ length: 120 }, (_, at) => `ITEM${at}`);
      erp.units.push(...items.map((item) => [item, 'BOX', 2] as const));
      erp.add(
        'salesInvoices',
        'i1',
        1,
        items.map((item) => ['Item', item, 1, 'BOX']),
      );
      const id = await connect({ units_service: 'ItemUnits' });
      expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { lines_skipped: 0 } });
      expect(Object.values(await workspace.sold())).toEqual(items.map(() => ({ '2026-10-15': 2 })));
      expect(erp.requests.filter(({ path }) => path.includes('ODataV4'))).toHaveLength(3);
    });

    it('sends no token to a host that a link leads to', async () => {
      for (let id = 1; id <= 21; id += 1) erp.add('salesInvoices', `i${id}`, id, [['Item', '1000', 1]]);
      erp.linksTo = 'http://127.0.0.1:9';
      expect(await workspace.settled(await connect())).toMatchObject({
        status: 'failed',
        error: { code: 'redirected' },
      });
    });

    it.each(['salesInvoices', 'salesCreditMemos'])(
      'also reports in a test that the app may not read %s',
      async (set) => {
        erp.hidden = [set];
        const id = await connect();
        expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: { code: 'access_revoked' } });
        expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: false, code: 'access_revoked' });
        erp.hidden = [];
        expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true, account: 'CRONUS' });
      },
    );

    it('asks for a new secret when Entra refuses it', async () => {
      const id = await connect({ client_secret: 'expired last week' });
      expect(await workspace.settled(id)).toMatchObject({
        status: 'failed',
        error: { code: 'invalid_client', message: expect.stringContaining('rejects its secret or certificate') },
      });
      expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(true);
    });

    it('reports that Entra refuses the token request, for example for an unknown tenant', async () => {
      erp.grantFault = { status: 400, body: { error: 'invalid_request', error_description: 'AADSTS90002' } };
      const id = await connect();
      const message = expect.stringMatching(
        /does not issue a token \(invalid_request\)\. Check the IDs, URLs and scope/,
      );
      const error = { code: 'request_refused', message };
      expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error });
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: false, ...error });
      expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(false);
    });
  });

  describe.each(['rsa', 'P-256', 'P-384', 'P-521'] as const)('NetSuite, with a certificate of type %s', (kind) => {
    const erp = platformOfEachTest(() => new NetSuiteServer(kind));
    const connect = (overrides: Record<string, string> = {}) =>
      workspace.connect('netsuite', { ...erp.settings, ...overrides });

    it('imports cash sales and invoices minus credits and refunds, window by window', async () => {
      for (let id = 1; id <= 450; id += 1)
        erp.add(id, Math.floor(id / 300), 'CustInvc', [
          ['A', -1],
          ['B', -2],
        ]);
      const sale = erp.add(900, 10, 'CashSale', [['A', -50]]);
      erp.add(901, 11, 'CustCred', [['A', 7]]);
      erp.add(902, 12, 'CashRfnd', [['B', 100]]);
      erp.add(903, 13, 'PurchOrd', [['A', 1_000]]);
      const id = await connect();
      expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 493 }, B: { '2026-10-15': 800 } });
      sale.voided = 'T';
      sale.changed = '2026-11-02T00:00:00';
      erp.token = 'expired';
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 443 }, B: { '2026-10-15': 800 } });
      expect(erp.tokens).toBe(2);
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true, account: '1234567_SB1' });
    });

    it('counts a stocked item once, and not again where its cost is posted', async () => {
      erp.stocked = true;
      erp.add(1, 1, 'CashSale', [['A', -5]]);
      await workspace.settled(await connect());
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 5 } });
    });

    it('misses no change that a clock set back dates before those already read', async () => {
      const [read, repeated, later] = [5_400, 4_200, 12_000];
      for (let id = 1; id <= 201; id += 1) erp.add(id, read, 'CustInvc', [['A', -1]]);
      erp.misbehave.push(undefined, undefined, undefined, { status: 429, headers: { 'retry-after': '3600' } });
      const id = await connect();
      await eventually('it waits', async () => ((await workspace.syncs(id))[0]?.waiting_until ? true : undefined));
      erp.add(500, repeated, 'CustInvc', [['B', -2]]);
      erp.add(501, later, 'CustInvc', [['C', -3]]);
      await workspace.service.database.execute(
        `UPDATE connectors SET cursor = jsonb_set(cursor, '{open,position,begun}', to_jsonb(now() - interval '2 hours')) WHERE id = $1`,
        [id],
      );
      expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'completed', error: null });
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({
        A: { '2026-10-15': 201 },
        B: { '2026-10-15': 2 },
        C: { '2026-10-15': 3 },
      });
    });

    it('reports in a test and in a sync that the role may not read items', async () => {
      erp.add(1, 1, 'CashSale', [['A', -5]]);
      erp.hidden = ['item'];
      const id = await connect();
      const lacking = { code: 'access_revoked', message: expect.stringContaining('Items') };
      expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: lacking });
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: false, ...lacking });
      expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(true);
      erp.hidden = [];
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });
    });

    it('asks for another key when it does not match the certificate, has the wrong type, or is missing', async () => {
      const { privateKey } = new NetSuiteServer(kind);
      const other = await connect({ account_id: '1234567', private_key: privateKey });
      expect(await workspace.settled(other)).toMatchObject({ status: 'failed', error: { code: 'invalid_grant' } });
      const pem = { type: 'pkcs8', format: 'pem' } as const;
      for (const unusable of [
        'no PEM at all',
        generateKeyPairSync('ed25519').privateKey.export(pem),
        generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export(pem),
      ]) {
        const none = await connect({ private_key: String(unusable) });
        const failed = { status: 'failed', error: { code: 'private_key_invalid' } };
        expect(await workspace.settledAtOnce(none)).toMatchObject(failed);
        expect((await workspace.get(`/${none}`)).body['needs_reconnect']).toBe(true);
        await workspace.member.delete(`${workspace.path}/${none}`);
      }
    });
  });
});
