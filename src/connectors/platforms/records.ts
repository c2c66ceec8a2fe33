import { firstText, type SourceOrder } from '../orders/order.js';
import { PlatformFault } from '../platform-fault.js';

/** Most records that belong to one page, as the lines of its orders do: beyond them a platform does not come to an end. */
const MOST_RECORDS = 100_000;

/**
 * Reads a list to its end, part by part.
 * @param read the part that follows those that are known
 * @throws {PlatformFault} where it does not end, or is none
 */
export function readAll<SourceRecord>(
  read: (known: readonly SourceRecord[]) => Promise<{ records: readonly SourceRecord[]; more: boolean }>,
): Promise<SourceRecord[]> {
  return askFor(async () => {
    const all: SourceRecord[] = [];
    for (;;) {
      const { records, more } = await read(all);
      all.push(...records);
      if (!more || records.length === 0) return all;
      if (all.length > MOST_RECORDS) {
        throw PlatformFault.passing('malformed_reply', 'The platform’s list does not end.');
      }
    }
  });
}

/**
 * Asks for more of a record, such as its lines. A reply of another form is no fault of the record, which would be left out until it
 * changes.
 * @throws {PlatformFault}
 */
export async function askFor<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw isOfOtherForm(error) ? otherForm() : error;
  }
}

/** The id of a record as text. @throws {RangeError} where it has none, or one that JSON has rounded to that of another record */
export function idOf(id: unknown): string {
  if (typeof id === 'number' && !Number.isSafeInteger(id)) throw new RangeError('no whole number');
  const text = firstText(id);
  if (text === null) throw new RangeError('no id');
  return text;
}

/**
 * Reads the records of a page one by one: what has not the form it should have is undefined, and the others count all the
 * same.
 * @throws {PlatformFault} of what more had to be asked for
 */
export async function readRecords<SourceRecord, Order extends SourceOrder>(
  records: readonly SourceRecord[],
  toOrder: (record: SourceRecord) => Order | Promise<Order>,
): Promise<readonly (Order | undefined)[]> {
  const orders: (Order | undefined)[] = [];
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

export const otherForm = (): PlatformFault =>
  PlatformFault.passing('malformed_reply', 'The platform’s response does not match its documentation.');

/** Whether an error tells that a reply lacks what it should have. */
export function isOfOtherForm(error: unknown): error is Error {
  return error instanceof Error && ['TypeError', 'RangeError', 'SyntaxError'].includes(error.name);
}

/** Whether an order has its id and its dates. */
export function isReadable({ id, updatedAt, placed }: SourceOrder): boolean {
  const day = typeof placed === 'string' ? isCalendarDay(placed) : isDate(placed);
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

/** Whether text is a day that PostgreSQL takes, `YYYY-MM-DD`: 2026-02-30 is none, 0001-01-01 is. */
function isCalendarDay(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && isDate(midnight) && midnight.toISOString().startsWith(text);
}
