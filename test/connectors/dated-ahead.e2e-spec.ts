import { describe, expect, it, jest } from '@jest/globals';
import { Clock } from '../../src/platform/clock.js';
import { HOUR_MS } from '../../src/platform/durations.js';
import { Api } from '../support/api.js';
import { BusinessCentralServer } from './business-central-server.js';
import { connectedWorkspace } from './connected.js';
import { NetSuiteServer } from './netsuite-server.js';
import { dayOf as dayOfPast } from './past-months.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { type QuickBooksRecord, QuickBooksServer, sold } from './quickbooks-server.js';
import { XeroServer } from './xero-server.js';

/** A day of a month, where the last month stands for the present one: of a clock ahead of the real one, sessions would be over. */
const dayOf = (monthsAgo: number, day: number): string => dayOfPast(monthsAgo + 1, day);
/** The middle of a month: wherever it is, it is that month. */
const middle = (monthsAgo: number): Date => new Date(`${dayOf(monthsAgo, 15)}T12:00:00Z`);

describe('documents dated in the future', () => {
  const workspace = connectedWorkspace({}); // sets the clock
  const books = platformOfEachTest(() => new QuickBooksServer());

  const ahead = {
    quickbooks: platformOfEachTest(() => new QuickBooksServer()),
    xero: platformOfEachTest(() => new XeroServer()),
    business_central: platformOfEachTest(() => new BusinessCentralServer()),
    netsuite: platformOfEachTest(() => new NetSuiteServer('P-256')),
  };

  /** Has the clock of the service stand in a month. */
  const live = (monthsAgo: number) =>
    jest.spyOn(workspace.service.app.get(Clock), 'now').mockReturnValue(middle(monthsAgo));

  const connect = (input = {}): Promise<string> =>
    workspace.connectAndSettle('quickbooks', books.settings, { counts_from: dayOf(5, 1), ...input });

  /** Makes an invoice in the month so many months ago, each an hour after the one before: no sync reads the former ones again. */
  const invoice = (id: number, monthsAgo: number, day: string, item = '1', quantity = 1): QuickBooksRecord => {
    const record = books.add('Invoice', id, 0, [sold(item, quantity)], day);
    record.MetaData.LastUpdatedTime = new Date(middle(monthsAgo).getTime() + (id - 10) * HOUR_MS).toISOString();
    return record;
  };

  it('count once their month has begun, without changing again', async () => {
    live(3);
    invoice(1, 3, dayOf(2, 5), '1', 2);
    invoice(2, 3, dayOf(1, 5), '2', 4);
    invoice(3, 3, dayOf(3, 10), '1', 1);
    const id = await connect();
    expect(await workspace.demand()).toEqual({ SOAP: { [dayOf(3, 10)]: 1 } });
    live(2);
    await workspace.sync(id);
    expect(await workspace.demand()).toEqual({ SOAP: { [dayOf(3, 10)]: 1, [dayOf(2, 5)]: 2 } });
    live(0);
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({
      SOAP: { [dayOf(3, 10)]: 1, [dayOf(2, 5)]: 2 },
      'product:2': { [dayOf(1, 5)]: 4 },
    });
    const series = await workspace.service.database.query(
      'SELECT unique_id, product_name FROM series WHERE workspace_id = $1 ORDER BY 1 DESC',
      [workspace.workspaceId],
    );
    expect(series).toEqual([
      { unique_id: 'product:2', product_name: 'No SKU' },
      { unique_id: 'SOAP', product_name: 'Soap' },
    ]);
  });

  it('count on their date when the month begins, and not at all if deleted', async () => {
    live(2);
    const moved = invoice(1, 2, dayOf(1, 5), '1', 2);
    invoice(2, 2, dayOf(1, 6), '1', 4);
    invoice(3, 2, dayOf(2, 5), '1', 1);
    const id = await connect();
    Object.assign(moved, { TxnDate: dayOf(0, 1) });
    moved.MetaData.LastUpdatedTime = new Date(middle(2).getTime() - 2 * HOUR_MS).toISOString();
    books.delete('Invoice', 2);
    invoice(9, 2, dayOf(2, 6), '1', 8);
    await workspace.sync(id);
    live(1);
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ SOAP: { [dayOf(2, 5)]: 1, [dayOf(2, 6)]: 8 } });
    live(0);
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ SOAP: { [dayOf(2, 5)]: 1, [dayOf(2, 6)]: 8, [dayOf(0, 1)]: 2 } });
  });

  it('do not change an uploaded month when its orders arrive after it began', async () => {
    live(1);
    invoice(1, 1, dayOf(1, 10), '1', 1);
    const id = await connect();
    live(0);
    invoice(2, 0, dayOf(0, 1), '1', 2);
    books.misbehave.push(undefined, undefined, { status: 400 }); // behind the invoices and their items
    expect(await workspace.sync(id)).toMatchObject({ status: 'failed', progress: { orders_changed: 1 } });
    await new Api(workspace.service.url, workspace.workspaceKey).upload(
      workspace.workspaceId,
      `unique_id,ds,y\nSOAP,${dayOf(0, 1).slice(0, 7)},30\n`,
    );
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ SOAP: { [dayOf(1, 10)]: 1, [dayOf(0, 1)]: 30 } });
  });

  it('also count in the first months of a connector, although unchanged since long before', async () => {
    live(0);
    const { quickbooks, xero, business_central, netsuite } = ahead;
    // their day is 2026-10-15
    const changed = (Date.parse('2025-12-20T00:00:00Z') - Date.parse('2026-11-01T00:00:00Z')) / 1_000;
    quickbooks.add('Invoice', 1, changed, [sold('1', 1)]);
    xero.add('Invoices', 'i1', changed, [['X', 2]]);
    business_central.add('salesInvoices', 'i1', changed, [['Item', 'B', 3]]);
    netsuite.add(1, changed, 'CustInvc', [['N', -4]]);
    for (const [name, { settings }] of Object.entries(ahead)) {
      await workspace.connectAndSettle(name, settings, { counts_from: '2026-10-01' });
    }
    const day = '2026-10-15';
    expect(await workspace.sold()).toEqual({ SOAP: { [day]: 1 }, X: { [day]: 2 }, B: { [day]: 3 }, N: { [day]: 4 } });
  });
});
