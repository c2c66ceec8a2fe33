import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

const ELEMENTS = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 blockquote pre code ul ol li a em strong s table thead tbody tr th td'.split(' '),
);
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = { a: ['href', 'title', 'rel'], ol: ['start'] };
const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/**
 * Parses HTML as a browser would and lists everything in it that could execute, load or spoof something. Independent of the sanitizer: it
 * has its own list of what is harmless.
 */
export function faultsOfHtml(html: string): string[] {
  return [...elementsOf(parseFragment(html))].flatMap((element) => {
    if (!ELEMENTS.has(element.tagName)) return [`<${element.tagName}>`];
    return element.attrs.flatMap(({ name, value }) => {
      if (!(ATTRIBUTES[element.tagName] ?? []).includes(name)) return [`${element.tagName}[${name}]`];
      return name === 'href' && !isHarmless(value) ? [`href=${value}`] : [];
    });
  });
}

function* elementsOf(node: Node): Generator<Element> {
  if ('tagName' in node) yield node;
  for (const child of 'childNodes' in node ? node.childNodes : []) yield* elementsOf(child);
}

/** As resolved by a browser: links to other sites must have a harmless scheme, and must have one at all. */
function isHarmless(href: string): boolean {
  const url = URL.parse(href, 'https://this-service.example/');
  if (url === null) return true; // a browser ignores it
  const relative = url.host === 'this-service.example';
  return SCHEMES.has(url.protocol) && (relative || /^(https?:\/\/|mailto:)/i.test(href));
}
