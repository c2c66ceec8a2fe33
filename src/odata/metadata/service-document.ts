import type { ReplyStyle } from '../http/feed-reply.js';
import { ENTITY_SETS } from '../model/model.js';

/** The sets of the feed as JSON: what BI tools request first, with their credentials. */
export function serviceDocument({ root, metadata }: ReplyStyle): string {
  return JSON.stringify({
    ...(metadata === 'none' ? {} : { '@odata.context': `${root}/$metadata` }),
    value: ENTITY_SETS.map(({ name }) => ({ name, kind: 'EntitySet', url: name })),
  });
}
