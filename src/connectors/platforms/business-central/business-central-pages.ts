import { PlatformFault } from '../../platform-fault.js';
import type { ApiSession } from '../api-session.js';
import { readAll } from '../records.js';
import type { BusinessCentralRecord, Kind } from './business-central-order.js';

const LINK = '@odata.nextLink';

interface LinesPage {
  readonly value: readonly unknown[];
}

/**
 * URL of the next page of a list.
 * @param list navigation property of a list within a record
 * @throws {PlatformFault} if it is not on Business Central's host, which would receive the token
 */
export function nextLink(api: ApiSession, page: object, list = ''): string | undefined {
  const next = (page as Readonly<Record<string, unknown>>)[list + LINK];
  if (next === undefined || next === null) return undefined;
  const origin = new URL(api.value('api_url')).origin;
  if (typeof next !== 'string' || !URL.canParse(next) || new URL(next).origin !== origin) {
    throw PlatformFault.refused('redirected', 'The next page is on a different host, which is not followed.');
  }
  return next;
}

/** A record with the lines that its page omitted: nested lists may be partial too, and have next links of their own. */
export async function withAllLines(
  api: ApiSession,
  { lines }: Kind,
  record: BusinessCentralRecord,
): Promise<BusinessCentralRecord> {
  let next = nextLink(api, record, lines);
  if (next === undefined) return record;
  const rest = await readAll<unknown>(async () => {
    const url = next!;
    const { body } = await api.patiently(() => api.json<LinesPage>({ url }));
    next = nextLink(api, body);
    return { records: body.value, more: next !== undefined };
  });
  return { ...record, [lines]: [...(record[lines] as readonly unknown[]), ...rest] };
}
