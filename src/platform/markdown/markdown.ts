import MarkdownIt, { type MarkdownIt as Markdown } from 'markdown-it';

/**
 * A CommonMark parser with tables, strikethrough and bare links. HTML in the source is shown as text, and bare links are only
 * recognized with a scheme: `setup.py` names a file.
 */
export function newMarkdown(limits: { readonly maxNesting?: number } = {}): Markdown {
  const markdown = new MarkdownIt({ ...limits, html: false, linkify: true });
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  return markdown;
}
