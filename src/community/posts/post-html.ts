import { setImmediate as nextTurn } from 'node:timers/promises';
import { renderMarkdown } from '../../platform/markdown/render-markdown.js';
import { Slots } from '../../platform/work/slots.js';
import type { PostBody } from '../dto/replies.dto.js';
import type { Member } from '../member.js';

/** Each page being rendered adds a text to every turn of the event loop, so that many at once would keep all other requests waiting. */
const slots = new Slots('lists of posts as HTML', { total: 4, perUser: 2 });

/**
 * Adds `body_html` to posts. Yields to the event loop between posts: a long text takes about 20 ms, a malicious one 90.
 * @throws {Problem} 429 or 503 for too many lists at once
 */
export function withHtml<P extends PostBody>(posts: readonly P[], reader: Pick<Member, 'id'>): Promise<P[]> {
  return slots.run({ userId: reader.id }, async () => {
    const rendered: P[] = [];
    for (const post of posts) {
      rendered.push({ ...post, body_html: renderMarkdown(post.body) });
      await nextTurn();
    }
    return rendered;
  });
}
