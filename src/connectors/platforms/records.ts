import { firstText, type SourceOrder } from '../orders/order.js';
import { PlatformFault } from '../platform-fault.js';

/**
 * Maximum number of records belonging to one page, such as the lines of its orders: beyond it, the platform's list is considered endless.
 */
const MAX_RECORDS = 100_000;

/** Codes of faults that may be due to the record that was asked about, rather than to the platform or the credentials. */
const FAULTS_OF_A_RECORD = ['malformed_reply', 'platform_error', 'request_refused'];

/**
 * Reads a list to its end, part by part.
 * @param read the part that follows those already known
 * @throws {PlatformFault} if it does not end, or is not a list
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
      if (all.length > MAX_RECORDS) {
        throw PlatformFault.passing('malformed_reply', 'The platform’s list does not end.');
      }
    }
  });
}

/**
 * Requests more of a record, such as its lines. A malformed response is not the record's fault: otherwise the record would be omitted until
 * it changes.
 * @throws {PlatformFault} with the error of reading the response as its cause
 */
export async function askFor<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!isMalformed(error)) throw error;
    const fault = PlatformFault.passing('malformed_reply', 'The platform’s response does not match its documentation.');
    fault.cause = error;
    throw fault;
  }
}

/**
 * Reads the order that a notification contains. A malformed one stays so however often it is tried; the next sync reads the order.
 * @param read requests of its own are covered by {@link askFor}
 * @throws {PlatformFault} `refused` if it is malformed, with the error of reading it as its cause
 */
export async function readDelivered(
  read: () => SourceOrder | undefined | Promise<SourceOrder | undefined>,
): Promise<SourceOrder | undefined> {
  try {
    const order = await read();
    if (order && !isReadable(order)) throw new RangeError('not an order');
    return order;
  } catch (error) {
    if (!isMalformed(error)) throw error;
    const fault = PlatformFault.refused('malformed_reply', 'The notification does not match its documentation.');
    fault.cause = error;
    throw fault;
  }
}

/** The id of a record as text. @throws {RangeError} if it has none, or one that JSON parsing has rounded to another record's */
export function idOf(id: unknown): string {
  if (typeof id === 'number' && !Number.isSafeInteger(id)) throw new RangeError('no whole number');
  const text = firstText(id);
  if (text === null) throw new RangeError('no id');
  return text;
}

interface RecordOptions<SourceRecord> {
  /** Ids of orders that are omitted, because they are set aside. */
  readonly setAside?: ReadonlySet<string>;
  /** The id of the order that a record is; by default the record's own. */
  readonly orderId?: (record: SourceRecord) => unknown;
}

/**
 * Reads the records of a page one by one: malformed ones are undefined, and the others still count.
 * @throws {PlatformFault} from requests for more of a record, which its message names
 */
export async function readRecords<SourceRecord, Order extends SourceOrder>(
  records: readonly SourceRecord[],
  toOrder: (record: SourceRecord) => Order | Promise<Order>,
  { setAside, orderId = ownId }: RecordOptions<SourceRecord> = {},
): Promise<readonly (Order | undefined)[]> {
  const orders: (Order | undefined)[] = [];
  for (const record of records) {
    try {
      const id = orderId(record);
      if (setAside?.has(firstText(id) ?? '')) continue;
      const order = await aboutOrder(id, () => toOrder(record));
      orders.push(isReadable(order) ? order : undefined);
    } catch (error) {
      if (!isMalformed(error)) throw error;
      orders.push(undefined);
    }
  }
  return orders;
}

const ownId = (record: unknown): unknown => (record as { readonly id?: unknown }).id;

/**
 * Reads an order by requests of its own.
 * @throws {PlatformFault} with the id of the order, if the fault may be due to that order
 */
export async function aboutOrder<Answer>(orderId: unknown, read: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof PlatformFault) || !FAULTS_OF_A_RECORD.includes(error.code)) throw error;
    const id = firstText(orderId);
    throw id !== null && /^[\w:/-]{1,100}$/.test(id) ? error.about(id) : error;
  }
}

/** Whether an error means that a response is malformed. */
function isMalformed(error: unknown): error is Error {
  return error instanceof Error && ['TypeError', 'RangeError', 'SyntaxError'].includes(error.name);
}

/** Whether an order has its id and its dates. */
export function isReadable({ id, updatedAt, placed }: SourceOrder): boolean {
  const day = typeof placed === 'string' ? isCalendarDay(placed) : isDate(placed);
  return day && isDate(updatedAt) && id !== '' && !id.includes('\0') && id.isWellFormed();
}

/** The latest change among the readable orders. */
export function latestChange(orders: readonly (SourceOrder | undefined)[]): Date | null {
  return orders.reduce<Date | null>(
    (latest, order) => (order && (!latest || order.updatedAt > latest) ? order.updatedAt : latest),
    null,
  );
}

const isDate = (date: Date): boolean => !Number.isNaN(date.getTime());

/** Whether the text is a day that PostgreSQL accepts, `YYYY-MM-DD`: 2026-02-30 is not, 0001-01-01 is. */
function isCalendarDay(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && isDate(midnight) && midnight.toISOString().startsWith(text);
}
