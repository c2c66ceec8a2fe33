import type { ApiRequest } from '../api-request.js';
import type { ApiSession } from '../api-session.js';
import { readAll } from '../records.js';

/** Rows of one reply of a list that is read to its end. */
const ROWS = 2_000;

/** Reference to a record: its id, with its name beside. */
export type Many2One = readonly [id: number, name: string] | number | false;

export interface Search {
  readonly domain: readonly unknown[];
  readonly fields: readonly string[];
  readonly limit?: number;
  readonly order?: string;
  readonly context?: Readonly<Record<string, unknown>>;
}

export function search<Found>(api: ApiSession, model: string, question: Search): Promise<readonly Found[]> {
  return call(api, `${model}/search_read`, question);
}

/** @param method with its model, such as `res.users/context_get` */
export async function call<Answer>(api: ApiSession, method: string, parameters: object): Promise<Answer> {
  return (await api.json<Answer>(requestOf(api, method, parameters))).body;
}

/** The request of a {@link call}. */
export function requestOf(api: ApiSession, method: string, parameters: object): ApiRequest {
  return { url: `${api.value('url')}/json/2/${method}`, json: parameters };
}

/** Who the user of the key is. */
interface UserContext {
  readonly uid: number;
  /** Of the names in replies, such as `de_DE`. */
  readonly lang?: string;
}

export function contextOf(api: ApiSession): Promise<UserContext> {
  return api.once('the user', () => call<UserContext>(api, 'res.users/context_get', {}));
}

export function searchAll<Found extends { readonly id: number }>(
  api: ApiSession,
  model: string,
  { domain, ...question }: Omit<Search, 'limit' | 'order'>,
): Promise<Found[]> {
  return readAll<Found>(async (known) => {
    const records = await search<Found>(api, model, {
      ...question,
      domain: [...domain, ['id', '>', known.at(-1)?.id ?? 0]],
      limit: ROWS,
      order: 'id asc',
    });
    return { records, more: records.length === ROWS };
  });
}

export function referredId(reference: Many2One | undefined): number | undefined {
  if (typeof reference === 'number') return reference;
  return reference === undefined || reference === false ? undefined : reference[0];
}

/** A time as Odoo tells it, `2026-11-21 06:00:00`, UTC. */
export const dateOf = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`);
