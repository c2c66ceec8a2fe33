import sanitizeHtml from 'sanitize-html';
import { escapeHtml } from '../http/replies/escape-html.js';
import { newMarkdown } from './markdown.js';

/** Images become links: an image would tell its host who reads the page, and when. */
const markdown = newMarkdown({ maxNesting: 20 }).disable('image');
markdown.core.ruler.after('block', 'proportion', ({ tokens }) => {
  if (tokens.length > MAX_TOKENS) throw new Disproportionate();
});

/** The second line of defense: only these elements and attributes pass, whatever the parser lets through. */
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
 * More characters of HTML than any honest text produces: ten times the maximum length of the source. Markdown can be made to
 * explode, since a link definition is repeated at every use and table rows are padded with cells: 20,000 characters become 24
 * million.
 */
const MAX_HTML_LENGTH = 200_000;
/** More tokens than any honest text has: two for each character. Rendering the 200,000 of padded table rows would take .2 s. */
const MAX_TOKENS = 40_000;

/**
 * Renders untrusted Markdown as HTML that is safe on any page: no scripts, styles, images, frames or forms. A text whose HTML would
 * be out of all proportion is shown as written.
 */
export function renderMarkdown(source: string): string {
  return sanitizeHtml(proportionateHtml(source) ?? `<p>${escapeHtml(source)}</p>\n`, ALLOWED);
}

class Disproportionate extends Error {}

function proportionateHtml(source: string): string | undefined {
  try {
    const html = markdown.render(source);
    return html.length > MAX_HTML_LENGTH ? undefined : html;
  } catch (error) {
    if (error instanceof Disproportionate) return undefined;
    throw error;
  }
}
