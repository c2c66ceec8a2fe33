import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Token } from 'markdown-it';
import { PROJECT_ROOT } from '../../../config/paths.js';
import { escapeHtml } from '../../platform/http/replies/escape-html.js';
import { newMarkdown } from '../../platform/markdown/markdown.js';
import { GUIDE_NAMES } from './guide-list.js';

const DIRECTORY = join(PROJECT_ROOT, 'docs');

const SERVED: ReadonlySet<string> = new Set(GUIDE_NAMES);

/** A guide as part of a page. */
export interface Guide {
  /** Its first heading, without markup. */
  readonly title: string;
  /** Its headings of the second level, in order. */
  readonly sections: readonly GuideSection[];
  readonly html: string;
}

/** A section of a guide. */
export interface GuideSection {
  readonly title: string;
  readonly anchor: string;
}

/** Where a guide is displayed, and the sections found on the way. */
interface Rendering {
  readonly name: string;
  readonly root: string;
  readonly sections: GuideSection[];
}

const markdown = newMarkdown();
markdown.core.ruler.push('anchors', ({ tokens, env }) => addAnchors(tokens, env as unknown as Rendering));
markdown.core.ruler.push('links', ({ tokens, env }) => {
  for (const { children } of tokens) placeLinks(children ?? [], env as unknown as Rendering);
});
// A header without text tells a screen reader nothing: the corner of a table is an empty cell.
markdown.core.ruler.push('corners', ({ tokens }) => {
  tokens.forEach((token, at) => {
    if (token.type === 'th_open' && tokens[at + 1]!.content === '') token.tag = tokens[at + 2]!.tag = 'td';
  });
});
// Tables and code are wider than a phone: each scrolls on its own, also with the keyboard.
markdown.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';
for (const kind of ['fence', 'code_block']) {
  markdown.renderer.rules[kind] = (tokens, at) =>
    `<pre tabindex="0"><code>${escapeHtml(tokens[at]!.content)}</code></pre>\n`;
}
markdown.renderer.rules['image'] = () => ''; // images show what the service looks like: the reader has it open

/**
 * The guide of that name, such as `api` or `recipes/6-python`, as HTML; undefined if users have none of that name.
 * @param root the root of the service, relative to the page that shows the guide
 */
export function readGuide(name: string, root: string): Guide | undefined {
  if (!SERVED.has(name)) return undefined;
  const source = sourceOf(name);
  const sections: GuideSection[] = [];
  const html = markdown.render(source, { name, root, sections } satisfies Rendering);
  return { title: titleIn(source), sections, html };
}

const titles = new Map<string, string>();

/** The title of an existing guide. Its file is read once: every page shows all titles. */
export function titleOf(name: string): string {
  const title = titles.get(name) ?? titleIn(sourceOf(name));
  titles.set(name, title);
  return title;
}

const sourceOf = (name: string): string => readFileSync(join(DIRECTORY, `${name}.md`), 'utf8');
const titleIn = (source: string): string => /^# (.*)$/m.exec(source)![1]!.replaceAll('`', '');

/** Headings get the anchors that GitHub gives them, which links between the files use. */
function addAnchors(tokens: readonly Token[], { sections }: Rendering): void {
  const known = new Map<string, number>();
  tokens.forEach((token, at) => {
    if (token.type !== 'heading_open') return;
    const title = textOf(tokens[at + 1]!);
    const slug = anchorOf(title);
    const before = known.get(slug) ?? 0;
    known.set(slug, before + 1);
    const anchor = before === 0 ? slug : `${slug}-${before}`;
    token.attrSet('id', anchor);
    if (token.tag === 'h2') sections.push({ title, anchor });
  });
}

/** The anchor of the first heading of that text, without markup. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

function textOf({ children }: Token): string {
  return (children ?? []).map(({ content }) => content).join('');
}

/** Points links between files to their pages; a link to something that is not served becomes its text. */
function placeLinks(tokens: readonly Token[], place: Rendering): void {
  let isTaken = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = hrefOf(String(token.attrGet('href')), place);
      isTaken = href === undefined;
      if (href !== undefined) token.attrSet('href', href);
    }
    if (isTaken && (token.type === 'link_open' || token.type === 'link_close')) {
      token.type = 'text';
      token.content = '';
    }
  }
}

function hrefOf(href: string, { name, root }: Rendering): string | undefined {
  const [path = '', fragment] = href.split('#', 2);
  if (path === '' || /^[a-z]+:/.test(path)) return href;
  const target = posix.join(posix.dirname(name), path);
  if (target === 'openapi.json') return `${root}openapi.json`;
  const guide = target === 'recipes' ? 'recipes/README' : target.replace(/\.md$/, '');
  if (!SERVED.has(guide)) return undefined;
  const relative = posix.relative(posix.dirname(name), guide);
  return fragment === undefined ? relative : `${relative}#${fragment}`;
}
