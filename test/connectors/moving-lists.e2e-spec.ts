import { describe, expect, it } from '@jest/globals';
import { BigCommerceServer } from './bigcommerce-server.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import type { PlatformRequest, PlatformServer } from './platform-server.js';
import { QuickBooksServer, sold } from './quickbooks-server.js';
import { WooCommerceServer } from './woocommerce-server.js';
import { XeroServer } from './xero-server.js';

const RECORDS_A_PAGE = { woocommerce: 100, bigcommerce: 250, quickbooks: 1_000, xero: 100 };
/** Pages during which records change: then the list comes to rest. */
const TURNS = 6;
/** Least id; all have as many digits, so that they are in one order as numbers and as text. */
const FIRST = 2_001;

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 1, 0, 0, second));

/** A list of records of the product A, with the platform that shows it. */
interface Shown {
  readonly platform: PlatformServer & { readonly settings: Record<string, string> };
  /** Adds a record of one piece. @param changed second of 2026-11-01 */
  readonly add: (id: number, changed: number) => void;
  /** Makes it one of two pieces. */
  readonly change: (id: number, changed: number) => void;
  /** Undefined where the platform deletes none. */
  readonly remove?: (id: number) => void;
}

function shownByWooCommerce(): Shown {
  const platform = platformOfEachTest(() => new WooCommerceServer());
  return {
    platform,
    add: (id, changed) => platform.add(id, changed, [['A', 1]]),
    change: (id, changed) => platform.add(id, changed, [['A', 2]]),
    remove: (id) => platform.orders.delete(id),
  };
}

function shownByBigCommerce(): Shown {
  const platform = platformOfEachTest(() => new BigCommerceServer());
  return {
    platform,
    add: (id, changed) => platform.add(id, changed, 'A', 1),
    change: (id, changed) => platform.add(id, changed, 'A', 2),
  };
}

function shownByQuickBooks(): Shown {
  const platform = platformOfEachTest(() => new QuickBooksServer());
  const found = (id: number) => platform.records.get('Invoice')!.find(({ Id }) => Id === String(id))!;
  return {
    platform,
    add: (id, changed) => {
      platform.items.set('1', { Id: '1', Name: 'A', Sku: 'A' });
      platform.add('Invoice', id, changed, [sold('1', 1)]);
    },
    change: (id, changed) => {
      found(id).Line = [sold('1', 2)];
      found(id).MetaData.LastUpdatedTime = at(changed).toISOString();
    },
    remove: (id) => platform.delete('Invoice', id),
  };
}

function shownByXero(): Shown {
  const platform = platformOfEachTest(() => new XeroServer());
  return {
    platform,
    add: (id, changed) => platform.add('Invoices', String(id), changed, [['A', 1]]),
    change: (id, changed) => {
      const invoice = platform.records['Invoices']!.find((record) => Number(record.id) === id)!;
      Object.assign(invoice, { changed, lines: [['A', 2]] });
    },
  };
}

const SHOWN = {
  woocommerce: shownByWooCommerce,
  bigcommerce: shownByBigCommerce,
  quickbooks: shownByQuickBooks,
  xero: shownByXero,
};

/** Records that a request asks for at once; of no list none. Xero numbers its pages, which have to be of one size. */
const ASKED: Partial<Record<keyof typeof SHOWN, (request: PlatformRequest) => number>> = {
  woocommerce: ({ query }) => Number(query.get('per_page')),
  bigcommerce: ({ query }) => Number(query.get('limit')),
  quickbooks: ({ query }) => Number(/STARTPOSITION \d+ MAXRESULTS (\d+)$/.exec(query.get('query') ?? '')?.[1] ?? 0),
};

describe.each(Object.keys(SHOWN) as (keyof typeof SHOWN)[])('a list of %s that changes while it is read', (name) => {
  const workspace = connectedWorkspace();
  const list = SHOWN[name]();
  const count = RECORDS_A_PAGE[name] * 2.5;
  const ids = Array.from({ length: count }, (_, before) => FIRST + before);

  /** Reads the list for the first time. @returns the connector, and the ids of the records that are stored */
  async function connectAndRead(): Promise<{ id: string; read: Set<number> }> {
    const id = await workspace.connect(name, list.platform.settings);
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
    const stored = await workspace.service.database.query<{ id: string }>(
      'SELECT external_id AS id FROM connector_orders WHERE connector_id = $1',
      [id],
    );
    return { id, read: new Set(stored.map((row) => Number(row.id.replace('Invoice:', '')))) };
  }

  it.each<[string, (id: number) => number]>([
    ['all in one second', () => 5],
    ['each in its own second', (id) => id - FIRST],
  ])('loses no record, %s, and counts none twice', async (_what, second) => {
    for (const id of ids) list.add(id, second(id));
    const changed = new Set<number>();
    const joined = new Set<number>();
    list.platform.onPage = (nth) => {
      if (nth === 1 || nth > TURNS) return;
      // one near the beginning and one near the end: whichever way it is read, one behind and one before the reader
      for (const id of [ids[nth]!, ids.at(-nth)!]) {
        list.change(id, count + nth);
        changed.add(id);
      }
      // as one that had not changed for long
      list.add(FIRST - nth, count + nth);
      joined.add(FIRST - nth);
    };
    const { id, read } = await connectAndRead();
    expect(ids.filter((known) => !read.has(known))).toEqual([]);
    list.platform.onPage = undefined;
    await workspace.sync(id);
    expect(changed.size).toBeGreaterThan(1);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': count + changed.size + joined.size } });
    expect((await workspace.sync(id)).progress.orders_changed).toBe(0);
  });

  const asked = ASKED[name];
  if (asked) {
    it('is read completely when the platform has memory for a quarter of a page', async () => {
      const known = ids.slice(0, RECORDS_A_PAGE[name]);
      for (const id of known) list.add(id, 5);
      const most = known.length / 4;
      const answer = (request: PlatformRequest) => (asked(request) > most ? { status: 500 } : undefined);
      list.platform.misbehave.push(...Array.from({ length: 200 }, () => answer));
      const id = await workspace.connect(name, list.platform.settings);
      expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'completed', error: null });
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': known.length } });
    });
  }

  if (list.remove) {
    it('loses no record when others are deleted meanwhile', async () => {
      for (const id of ids) list.add(id, 5);
      // more than the next page repeats of the first
      const removed = ids.slice(0, 30);
      list.platform.onPage = (nth) => {
        if (nth === 2) for (const id of removed) list.remove!(id);
      };
      const { read } = await connectAndRead();
      expect(ids.filter((id) => !removed.includes(id) && !read.has(id))).toEqual([]);
    });
  }
});
