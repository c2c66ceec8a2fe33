import { firstText } from '../../orders/order.js';
import type { ApiSession } from '../api-session.js';
import { listed } from '../list-field.js';
import type { OrderInUnits } from './business-central-units.js';

export interface Kind {
  /** Entity set; its lines are a navigation property. */
  readonly set: string;
  readonly lines: string;
  readonly sign: 1 | -1;
}

export const KINDS: Readonly<Record<string, Kind>> = {
  invoices: { set: 'salesInvoices', lines: 'salesInvoiceLines', sign: 1 },
  credit_memos: { set: 'salesCreditMemos', lines: 'salesCreditMemoLines', sign: -1 },
};

interface BusinessCentralLine {
  readonly lineType: string;
  readonly lineObjectNumber: string;
  readonly description?: string;
  readonly quantity: number;
  readonly unitOfMeasureCode?: string;
}

export interface BusinessCentralRecord {
  readonly id: string;
  readonly status: string;
  readonly postingDate: string;
  readonly lastModifiedDateTime: string;
  readonly [lines: string]: unknown;
}

/** The demand of a record, in the units it was sold in. */
export function toOrder(api: ApiSession, { lines, sign }: Kind, record: BusinessCentralRecord): OrderInUnits {
  const counts = listed(api.value('counted_statuses')).includes(record.status);
  const own = counts ? (record[lines] as readonly BusinessCentralLine[]) : [];
  return {
    id: record.id,
    updatedAt: new Date(record.lastModifiedDateTime),
    placed: record.postingDate,
    lines: own
      .filter(({ lineType }) => lineType === 'Item')
      .map((line) => ({
        sku: firstText(line.lineObjectNumber),
        productId: null,
        name: line.description ?? null,
        quantity: line.quantity * sign,
        unit: firstText(line.unitOfMeasureCode),
      })),
  };
}
