import type { SourceOrder } from '../orders/order.js';

/**
 * Reads the records of a page one by one: what has not the form it should have is undefined, and the others count all the
 * same.
 * @throws {PlatformFault} of what more had to be asked for
 */
export async function readRecords<SourceRecord>(
  records: readonly SourceRecord[],
  toOrder: (record: SourceRecord) => SourceOrder | Promise<SourceOrder>,
): Promise<readonly (SourceOrder | undefined)[]> {
  const orders: (SourceOrder | undefined)[] = [];
  for (const record of records) {
    try {
      const order = await toOrder(record);
      orders.push(isReadable(order) ? order : undefined);
    } catch (error) {
      if (!isOfOtherForm(error)) throw error;
      orders.push(undefined);
    }
  }
  return orders;
}

/** Whether an error tells that a reply lacks what it should have. */
export function isOfOtherForm(error: unknown): error is Error {
  return error instanceof Error && ['TypeError', 'RangeError', 'SyntaxError'].includes(error.name);
}

/** Whether an order has its id and its dates. */
export function isReadable({ id, updatedAt, placed }: SourceOrder): boolean {
  const day = typeof placed === 'string' ? /^\d{4}-\d{2}-\d{2}$/.test(placed) : isDate(placed);
  return day && isDate(updatedAt) && id !== '' && !id.includes('\0') && id.isWellFormed();
}

/** The latest change of the orders that could be read. */
export function latestChange(orders: readonly (SourceOrder | undefined)[]): Date | null {
  return orders.reduce<Date | null>(
    (latest, order) => (order && (!latest || order.updatedAt > latest) ? order.updatedAt : latest),
    null,
  );
}

const isDate = (date: Date): boolean => !Number.isNaN(date.getTime());
