import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { StateCore, Token } from 'markdown-it';
import { PROJECT_ROOT } from '../../../config/paths.js';
import { newMarkdown } from '../../platform/markdown/markdown.js';

const DIRECTORY = join(PROJECT_ROOT, 'docs');

/** Guides for users of the service, in reading order; those for operators and developers stay in the repository. */
export const GUIDES = [
  {
    title: 'Use the API',
    names: [
      'api',
      'api-demand',
      'api-results',
      'api-automation',
      'api-errors',
      'recipes/README',
      'recipes/1-first-forecast',
      'recipes/2-safety-stock',
      'recipes/3-notice-changes',
      'recipes/4-page-by-page',
      'recipes/5-repeatable-job',
      'recipes/6-python',
    ],
  },
  {
    title: 'Import demand and export results',
    names: [
      'connectors',
      'connectors-shops',
      'connectors-accounting',
      'connectors-erp',
      'connectors-syncs',
      'odata',
      'releases',
    ],
  },
  {
    title: 'Evaluate the forecasts',
    names: [
      'engine',
      'engine-accuracy',
      'engine-regular-demand',
      'engine-infrequent-demand',
      'engine-short-histories',
      'engine-odd-data',
      'engine-change-and-stock',
      'engine-network',
      'engine-trials',
      'model-card',
    ],
  },
  { title: 'Security and audits', names: ['compliance', 'audit-log'] },
] as const;

const NAMES: ReadonlySet<string> = new Set(GUIDES.flatMap(({ names }) => names));

/** A guide as part of a page. */
export interface Guide {
  /** Its first heading, without markup. */
  readonly title: string;
  readonly html: string;
}

/** Where a guide is displayed. */
interface Place {
  readonly name: string;
  readonly root: string;
}

const markdown = newMarkdown();
markdown.core.ruler.push('anchors', ({ tokens }) => addAnchors(tokens));
markdown.core.ruler.push('links', (state: StateCore) => {
  for (const { children } of state.tokens) placeLinks(children ?? [], state.env as unknown as Place);
});
// Tables and code are wider than a phone: each scrolls on its own, also with the keyboard.
markdown.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';
markdown.renderer.rules['image'] = () => ''; // images show what the service looks like: the reader has it open

/**
 * The guide of that name, such as `api` or `recipes/6-python`, as HTML; undefined if users have none of that name.
 * @param root the root of the service, relative to the page that shows the guide
 */
export function readGuide(name: string, root: string): Guide | undefined {
  if (!NAMES.has(name)) return undefined;
  const source = sourceOf(name);
  return { title: titleIn(source), html: markdown.render(source, { name, root }) };
}

/** The title of an existing guide. */
export const titleOf = (name: string): string => titleIn(sourceOf(name));

const sourceOf = (name: string): string => readFileSync(join(DIRECTORY, `${name}.md`), 'utf8');
const titleIn = (source: string): string => /^# (.*)$/m.exec(source)![1]!.replaceAll('`', '');

/** Headings get the anchors that GitHub gives them, which links between the files use. */
function addAnchors(tokens: readonly Token[]): void {
  const known = new Map<string, number>();
  tokens.forEach((token, at) => {
    if (token.type !== 'heading_open') return;
    const slug = anchorOf(textOf(tokens[at + 1]!));
    const before = known.get(slug) ?? 0;
    known.set(slug, before + 1);
    token.attrSet('id', before === 0 ? slug : `${slug}-${before}`);
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
function placeLinks(tokens: readonly Token[], place: Place): void {
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

function hrefOf(href: string, { name, root }: Place): string | undefined {
  const [path = '', fragment] = href.split('#', 2);
  if (path === '' || /^[a-z]+:/.test(path)) return href;
  const target = posix.join(posix.dirname(name), path);
  if (target === 'openapi.json') return `${root}openapi.json`;
  const guide = target === 'recipes' ? 'recipes/README' : target.replace(/\.md$/, '');
  if (!NAMES.has(guide)) return undefined;
  const relative = posix.relative(posix.dirname(name), guide);
  return fragment === undefined ? relative : `${relative}#${fragment}`;
}
