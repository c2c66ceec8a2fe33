import { withoutTail } from '../../../numeric/decimals.js';
import { inBatches } from '../../../platform/batches.js';
import type { SourceLine, SourceOrder } from '../../orders/order.js';
import type { ApiSession } from '../api-session.js';
import { type Company, quoted, readCompany, webServiceUrl } from './business-central-company.js';

/** Items per request: keeps the URL short, and the response far below the 20,000 rows after which there is no second page. */
const ITEMS = 50;

interface LineInUnit extends SourceLine {
  /** Code of the quantity's unit; null if the line has none, which means the item's base unit. */
  readonly unit: string | null;
}

export interface OrderInUnits extends SourceOrder {
  readonly lines: readonly LineInUnit[];
}

// fields of a published page are named after its columns, with _ for spaces
interface ItemUnit {
  readonly Item_No: string;
  readonly Code: string;
  /** How many of the item's base unit it contains. */
  readonly Qty_per_Unit_of_Measure: number;
}

/**
 * Converts the quantities of orders to the base units of the items; NaN if a line's unit is none of its item's. API v2.0 provides neither
 * these quantities nor the conversion factors, so without a configured web service they remain as sold.
 */
export async function inBaseUnits(
  api: ApiSession,
  orders: readonly (OrderInUnits | undefined)[],
): Promise<readonly (SourceOrder | undefined)[]> {
  const service = api.values['units_service'];
  const lines = orders.flatMap((order) => order?.lines ?? []);
  const items = new Set(lines.flatMap(({ sku, unit }) => (sku === null || unit === null ? [] : [sku])));
  if (service === undefined || items.size === 0) return orders;
  const sizes = await readSizes(api, service, items);
  const inBaseUnit = (line: LineInUnit): SourceLine => {
    const size = line.unit === null ? 1 : (sizes.get(keyOf(line.sku, line.unit)) ?? NaN);
    return { ...line, quantity: withoutTail(line.quantity * size) };
  };
  return orders.map((order) => order && { ...order, lines: order.lines.map(inBaseUnit) });
}

/** Requests one row from the web service, if one is configured. */
export async function checkUnits(api: ApiSession, company: Company): Promise<void> {
  const service = api.values['units_service'];
  if (service !== undefined) await ask(api, webServiceUrl(api, company, service), { $top: '1' });
}

async function readSizes(
  api: ApiSession,
  service: string,
  items: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const url = webServiceUrl(api, await readCompany(api), service);
  const sizes = new Map<string, number>();
  for (const some of inBatches([...items], ITEMS)) {
    const $filter = some.map((item) => `Item_No eq ${quoted(item)}`).join(' or ');
    for (const unit of await api.patiently(() => ask(api, url, { $filter }))) {
      sizes.set(keyOf(unit.Item_No, unit.Code), unit.Qty_per_Unit_of_Measure);
    }
  }
  return sizes;
}

async function ask(
  api: ApiSession,
  url: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly ItemUnit[]> {
  const $select = 'Item_No,Code,Qty_per_Unit_of_Measure';
  const { body } = await api.json<{ value: readonly ItemUnit[] }>({ url, query: { $select, ...query } });
  return body.value;
}

const keyOf = (item: string | null, unit: string): string => JSON.stringify([item, unit]);
