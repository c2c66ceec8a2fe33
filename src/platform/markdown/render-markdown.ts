import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { escapeHtml } from '../http/escape-html.js';

/**
 * CommonMark with tables, strikethrough and bare links. HTML in the source is shown as text, and pictures become links:
 * a picture would tell its host who reads the page, and when.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false, maxNesting: 20 }).disable('image');
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/** The second wall: whatever the parser lets through, only these elements and attributes leave. */
const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li'],
    ...['a', 'em', 'strong', 's', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'title', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesAppliedToAttributes: ['href'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'nofollow ugc noopener noreferrer' } }),
  },
};

/**
 * Characters of HTML that no text for readers comes near: ten for each of the longest that anybody may write. A definition of a
 * link is repeated wherever it is used, and rows of a table are filled up with cells: 20,000 characters can become 24 million.
 */
const LONGEST_HTML = 200_000;

/**
 * HTML of a Markdown text by any author, safe to put into any page: no script, no style, no picture, no frame, no form. A text
 * whose HTML would be out of all proportion is shown as it was written.
 */
export function renderMarkdown(source: string): string {
  const html = markdown.render(source);
  return sanitizeHtml(html.length > LONGEST_HTML ? `<p>${escapeHtml(source)}</p>\n` : html, ALLOWED);
}
