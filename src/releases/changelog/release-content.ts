import { renderMarkdown } from '../../platform/markdown/render-markdown.js';
import type { ReleaseBody } from '../dto/replies.dto.js';
import { CHANGE_KINDS, type ChangeKind } from '../release.js';

/** Display names of the kinds. */
export const KIND_LABELS: Readonly<Record<ChangeKind, string>> = {
  added: 'Added',
  changed: 'Changed',
  deprecated: 'Deprecated',
  removed: 'Removed',
  fixed: 'Fixed',
  security: 'Security',
};

/** Number of texts whose HTML is memoized: several times those of all releases so far. */
const MAX_REMEMBERED = 2_000;
const remembered = new Map<string, string>();

/**
 * Memoized {@link renderMarkdown} for the texts of a release: a page of them blocks the event loop for 30 ms, and anyone may
 * request it.
 */
export function rememberedHtml(text: string): string {
  let html = remembered.get(text);
  if (html === undefined) {
    html = renderMarkdown(text);
    if (remembered.size === MAX_REMEMBERED) remembered.clear();
    remembered.set(text, html);
  }
  return html;
}

/** The changes of one kind. */
export interface ChangeGroup {
  readonly kind: ChangeKind;
  readonly items: readonly string[];
}

/** Entries grouped by kind; kinds and entries keep their order. Items are safe HTML. */
export function groupEntries(release: ReleaseBody): ChangeGroup[] {
  return CHANGE_KINDS.flatMap((kind) => {
    const entries = release.entries.filter((entry) => entry.kind === kind);
    return entries.length === 0 ? [] : [{ kind, items: entries.map((entry) => tight(rememberedHtml(entry.text))) }];
  });
}

/** Notes and changes as a single piece of safe HTML, for feed readers. */
export function releaseHtml(release: ReleaseBody): string {
  const groups = groupEntries(release).map(
    ({ kind, items }) =>
      `<h3>${KIND_LABELS[kind]}</h3>\n<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>\n`,
  );
  return rememberedHtml(release.notes) + groups.join('');
}

/** Strips the tags of a single paragraph, so that a one-line list item is rendered on one line. */
const tight = (html: string): string => /^<p>((?:(?!<p>)[^])*)<\/p>\n?$/.exec(html)?.[1] ?? html.trim();
