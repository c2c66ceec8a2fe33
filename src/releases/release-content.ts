import { renderMarkdown } from '../platform/markdown/render-markdown.js';
import { CHANGE_KINDS, type ChangeKind, type Release } from './release.js';

/** Names of the kinds as people read them. */
export const KIND_LABELS: Readonly<Record<ChangeKind, string>> = {
  added: 'Added',
  changed: 'Changed',
  deprecated: 'Deprecated',
  removed: 'Removed',
  fixed: 'Fixed',
  security: 'Security',
};

/** Texts whose HTML is remembered: several times those of all releases so far. */
const MOST_REMEMBERED = 2_000;
const remembered = new Map<string, string>();

/**
 * {@link renderMarkdown}, once for each text of a release: a page of them takes 30 ms, in which the process does nothing else, and
 * anybody may ask for it.
 */
export function rememberedHtml(text: string): string {
  let html = remembered.get(text);
  if (html === undefined) {
    html = renderMarkdown(text);
    if (remembered.size === MOST_REMEMBERED) remembered.clear();
    remembered.set(text, html);
  }
  return html;
}

/** The changes of one kind. */
export interface ChangeGroup {
  readonly kind: ChangeKind;
  readonly items: readonly string[];
}

/** Entries by kind, kinds in their order, entries in theirs. Items are safe HTML. */
export function groupEntries(release: Release): ChangeGroup[] {
  return CHANGE_KINDS.flatMap((kind) => {
    const entries = release.entries.filter((entry) => entry.kind === kind);
    return entries.length === 0 ? [] : [{ kind, items: entries.map((entry) => tight(rememberedHtml(entry.text))) }];
  });
}

/** Notes and changes as one piece of safe HTML, for feed readers. */
export function releaseHtml(release: Release): string {
  const groups = groupEntries(release).map(
    ({ kind, items }) =>
      `<h3>${KIND_LABELS[kind]}</h3>\n<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>\n`,
  );
  return rememberedHtml(release.notes) + groups.join('');
}

/** A single paragraph without its tags, so that a list item of one line is set as one line. */
const tight = (html: string): string => /^<p>((?:(?!<p>)[^])*)<\/p>\n?$/.exec(html)?.[1] ?? html.trim();
