import sanitizeHtml from 'sanitize-html';
import { escapeHtml } from '../http/escape-html.js';
import { newMarkdown } from './markdown.js';

/** Pictures become links: a picture would tell its host who reads the page, and when. */
const markdown = newMarkdown({ maxNesting: 20 }).disable('image');

/** The second line of defence: only these elements and attributes pass, whatever the parser lets through. */
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
 * More characters of HTML than any honest text becomes: ten times the longest that may be written. Markdown can be made to explode,
 * since a link's definition is repeated at every use and table rows are filled up with cells: 20,000 characters become 24 million.
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
