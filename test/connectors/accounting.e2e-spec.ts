import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import type { PlatformReply } from './platform-server.js';
import { QuickBooksServer, sold } from './quickbooks-server.js';
import { XeroServer } from './xero-server.js';

describe('a connected accounting system', () => {
  const workspace = connectedWorkspace();

  describe('QuickBooks Online', () => {
    const books = platformOfEachTest(() => new QuickBooksServer());
    const connect = () => workspace.connect('quickbooks', books.settings);

    it('imports invoices and receipts by SKU, minus credit memos and refunds', async () => {
      const bundle = { DetailType: 'GroupLineDetail', GroupLineDetail: { Line: [sold('1', 4)] } };
      const shipping = sold('SHIPPING_ITEM_ID', 1);
      const subtotal = { DetailType: 'SubTotalLineDetail' };
      books.add('Invoice', 1, 1, [sold('1', 10), sold('2', 3), bundle, shipping, subtotal]);
      books.add('SalesReceipt', 1, 2, [sold('1', 5)], '2026-10-16');
      books.add('CreditMemo', 1, 3, [sold('1', 2)], '2026-10-17');
      books.add('RefundReceipt', 1, 4, [sold('2', 1)], '2026-10-18');
      const id = await connect();
      expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
      expect(await workspace.sold()).toEqual({
        SOAP: { '2026-10-15': 14, '2026-10-16': 5, '2026-10-17': -2 },
        'product:2': { '2026-10-15': 3, '2026-10-18': -1 },
      });
      expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true, account: 'Example Ltd' });
    });

    it('is read in pages of a thousand, each kind from its own last change, including deletions', async () => {
      for (let id = 1; id <= 1_100; id += 1) books.add('Invoice', id, id, [sold('1', 1)]);
      const id = await connect();
      await workspace.settled(id);
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-15': 1_100 } });
      books.delete('Invoice', 7);
      books.add('SalesReceipt', 1, 1, [sold('1', 50)]); // changed before the last invoice, and seen later
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-15': 1_149 } });
    });

    it('finds deletions behind more changes than QuickBooks returns at once, as after an import', async () => {
      books.add('Invoice', 1, 1, [sold('1', 10_000)]);
      const id = await connect();
      await workspace.settled(id);
      const imported = Date.now() - 5 * 60_000;
      for (let nth = 2; nth <= 2_300; nth += 1) {
        const changed = new Date(imported + 50 * nth).toISOString();
        books.add('Invoice', nth, 1, [sold('1', 1)]).MetaData.LastUpdatedTime = changed;
      }
      books.delete('Invoice', 1);
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-15': 2_299 } });
    });

    it('continues past more changes in one second than QuickBooks returns at once', async () => {
      const second = new Date(Math.floor(Date.now() / 1_000 - 300) * 1_000).toISOString();
      for (let nth = 1; nth <= 1_100; nth += 1)
        books.add('Invoice', nth, 1, [sold('1', 1)]).MetaData.LastUpdatedTime = second;
      const id = await connect();
      await workspace.settled(id);
      books.delete('Invoice', 7);
      expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-15': 1_099 } });
    });

    it('imports sales of discontinued items by their SKU', async () => {
      books.items.set('3', { Id: '3', Name: 'Candle', Sku: 'CANDLE', Active: false });
      books.add('Invoice', 1, 1, [sold('1', 2), sold('3', 4)]);
      await workspace.settled(await connect());
      expect(await workspace.sold()).toEqual({ SOAP: { '2026-10-15': 2 }, CANDLE: { '2026-10-15': 4 } });
    });

    it('waits a minute when rate limited', async () => {
      books.misbehave.push(undefined, { status: 429, body: {} });
      const begun = Date.now();
      const id = await connect();
      const waiting = await eventually('it waits', async () =>
        (await workspace.syncs(id)).find((sync) => sync.waiting_until),
      );
      expect(Date.parse(waiting.waiting_until!)).toBeGreaterThanOrEqual(begun + 60_000);
      expect(Date.parse(waiting.waiting_until!)).toBeLessThanOrEqual(Date.now() + 60_000);
    });
  });

  describe('Xero', () => {
    const books = platformOfEachTest(() => new XeroServer());
    const connect = (overrides: Record<string, string> = {}) =>
      workspace.connect('xero', { ...books.settings, ...overrides });

    it('imports approved and paid invoices minus credit notes', async () => {
      for (let id = 1; id <= 250; id += 1) books.add('Invoices', `i${id}`, id, [['A', 1]]);
      books.add(
        'Invoices',
        'paid',
        300,
        [
          ['A', 1],
          [undefined, 9],
        ],
        'PAID',
      );
      for (const status of ['DRAFT', 'SUBMITTED', 'VOIDED', 'DELETED'])
        books.add('Invoices', status, 301, [['A', 1_000]], status);
      books.add('CreditNotes', 'c1', 1, [['A', 11]]);
      const id = await connect();
      expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { lines_skipped: 1 } });
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 240 } });
      const voided = books.records['Invoices']![0]!;
      voided.status = 'VOIDED';
      voided.changed = 400;
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 239 } });
      expect(books.refreshes).toBe(1);
    });

    it('names a series after its item, not after the invoice description', async () => {
      books.add('Invoices', 'i1', 1, [['A', 3]]);
      await workspace.settled(await connect());
      const names = await workspace.service.database.query<{ product_name: string }>(
        'SELECT product_name FROM series WHERE workspace_id = $1',
        [workspace.workspaceId],
      );
      expect(names).toEqual([{ product_name: 'Item A' }]);
    });

    it('renews expired tokens once, stores the new ones before use, and asks to reconnect when the grant is revoked', async () => {
      books.add('Invoices', 'i1', 1, [['A', 1]]);
      const id = await connect();
      await workspace.settled(id);
      books.token = 'expired';
      // the new refresh token is stored although nothing that follows works
      books.misbehave.push(undefined, undefined, { status: 503 }, { status: 503 });
      await workspace.post(`/${id}/sync`);
      await workspace.settledAtOnce(id);
      expect(books.refreshes).toBe(2);
      books.token = 'expired again';
      expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
      books.token = 'expired for good';
      books.refreshToken = 'revoked';
      const message = expect.stringContaining('Authorize the app again');
      expect(await workspace.sync(id)).toMatchObject({ status: 'failed', error: { code: 'invalid_grant', message } });
      expect((await workspace.get(`/${id}`)).body).toMatchObject({ needs_reconnect: true, next_sync_at: null });
      await workspace.patch(`/${id}`, { settings: { refresh_token: 'revoked' } });
      await workspace.settled(id);
      await workspace.patch(`/${id}`, {
        settings: { refresh_token: books.refreshToken, client_secret: books.client.secret },
      });
      await eventually(
        'it works again',
        async () => (await workspace.get(`/${id}`)).body['needs_reconnect'] === false || undefined,
      );
    });

    it.each<[string, () => void, string]>([
      ['an unknown client', () => (books.client.secret = 'changed'), 'invalid_client'],
      [
        'an unauthorized client',
        () => (books.grantFault = { status: 400, body: { error: 'unauthorized_client' } }),
        'unauthorized_client',
      ],
      [
        'tokens refused at once',
        () => books.misbehave.push(undefined, { status: 401 }, undefined, { status: 401 }),
        'credentials_refused',
      ],
      [
        'a disconnected tenant',
        () => books.misbehave.push(undefined, { status: 403, body: { Detail: 'AuthenticationUnsuccessful' } }),
        'access_revoked',
      ],
    ])('asks for new credentials after %s', async (_what, misbehave, code) => {
      const settings = { client_secret: books.client.secret };
      misbehave();
      const id = await connect(settings);
      expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: { code } });
      expect((await workspace.get(`/${id}`)).body).toMatchObject({ needs_reconnect: true, reconnect_reason: { code } });
    });

    it.each<[string, 'completed' | 'failed', () => void]>([
      ['an unavailable token endpoint', 'completed', () => books.misbehave.push({ status: 503 })],
      [
        'another refusal by the token endpoint',
        'completed',
        () => books.misbehave.push({ status: 429, headers: { 'retry-after': '1' } }),
      ],
      [
        'an unrelated 403',
        'failed',
        () => books.misbehave.push(undefined, { status: 403, body: { Detail: 'Maintenance' } }),
      ],
    ])('does not ask for new credentials after %s', async (_what, status, misbehave) => {
      misbehave();
      const id = await connect();
      expect(await workspace.settledAtOnce(id)).toMatchObject({ status });
      expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(false);
      expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
    });

    it.each<[string, PlatformReply]>([
      ['refuses the request', { status: 400, body: { error: 'invalid_request' } }],
      ['is not found', { status: 404, body: 'Not found' }],
    ])('resumes where it stopped after its token endpoint %s', async (_what, refusal) => {
      for (let id = 1; id <= 250; id += 1) books.add('Invoices', `i${id}`, id, [['A', 1]]);
      books.onPage = (nth) => {
        if (nth !== 2) return;
        books.token = 'expired meanwhile';
        books.grantFault = refusal;
      };
      const id = await connect();
      expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: { code: 'request_refused' } });
      books.grantFault = undefined;
      const known = books.requests.length;
      expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
      const pages = books.requests.slice(known).flatMap(({ query }) => query.get('page') ?? []);
      expect(pages[0]).toBe('3');
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 250 } });
    });

    it('is left alone for a minute when the per-minute limit is used up', async () => {
      for (let id = 1; id <= 101; id += 1) books.add('Invoices', `i${id}`, id, [['A', 1]]);
      books.minuteLeft = 0;
      const id = await connect();
      const waiting = await eventually('it waits', async () =>
        (await workspace.syncs(id)).find((sync) => sync.waiting_until),
      );
      expect(waiting).toMatchObject({ status: 'running', progress: { pages: 1 }, error: null });
    });
  });
});
