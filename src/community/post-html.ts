import { setImmediate as nextTurn } from 'node:timers/promises';
import { renderMarkdown } from '../platform/markdown/render-markdown.js';
import type { Post } from './topic.js';

/** Adds `body_html` to posts. Yields to the event loop between posts: a long text takes about 20 ms, a malicious one 200. */
export async function withHtml<P extends Post>(posts: readonly P[]): Promise<P[]> {
  const rendered: P[] = [];
  for (const post of posts) {
    rendered.push({ ...post, body_html: renderMarkdown(post.body) });
    await nextTurn();
  }
  return rendered;
}
