import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { faultsOfHtml } from '../../../test/support/pages/safe-html.js';
import { XSS_VECTORS } from '../../../test/support/pages/xss-vectors.js';
import { renderMarkdown } from './render-markdown.js';

describe('renderMarkdown', () => {
  it('renders common Markdown', () => {
    expect(renderMarkdown('# A\n\n**b** _c_ ~~d~~ `e`\n\n1. f\n2. g\n\n> h\n\n```js\ni < 1;\n```')).toBe(
      '<h1>A</h1>\n<p><strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>\n<ol>\n<li>f</li>\n<li>g</li>\n</ol>\n' +
        '<blockquote>\n<p>h</p>\n</blockquote>\n<pre><code>i &lt; 1;\n</code></pre>\n',
    );
    expect(renderMarkdown('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td>2</td>');
  });

  it('renders HTML as text and images as links', () => {
    expect(renderMarkdown('<b>bold</b>')).toBe('<p>&lt;b&gt;bold&lt;/b&gt;</p>\n');
    expect(renderMarkdown('![chart](https://example.com/c.png)')).toBe(
      '<p>!<a href="https://example.com/c.png" rel="nofollow ugc noopener noreferrer">chart</a></p>\n',
    );
  });

  it('keeps harmless links and removes the target of others', () => {
    expect(
      renderMarkdown('[a](https://example.com) [b](mailto:a@example.com) [c](/docs) [d](#top)').match(/href="[^"]*"/g),
    ).toEqual(['href="https://example.com"', 'href="mailto:a@example.com"', 'href="/docs"', 'href="#top"']);
    expect(renderMarkdown('[a](//evil.example) [b](ftp://example.com)')).not.toContain('href');
  });

  it.each([
    ['a long link definition used repeatedly', `[a]: /${'u'.repeat(9_000)}\n\n${'[a] '.repeat(2_500)}`],
    ['a long link title used repeatedly', `[a]: /u "${'t'.repeat(9_000)}"\n\n${'[a] '.repeat(2_500)}`],
    ['a table with 15,000 cells', `${'|a'.repeat(100)}\n${'|-'.repeat(100)}\n${'a\n'.repeat(150)}`],
    ['a table of short rows below a long one', `${'|a'.repeat(3_000)}\n${'|-'.repeat(3_000)}\n${'a\n'.repeat(3_000)}`],
  ])('renders text verbatim when its HTML would be disproportionately long: %s', (_what, text) => {
    const html = renderMarkdown(text);
    expect([html.length, html === `<p>${text}</p>\n`]).toEqual([text.length + 8, true]);
  });

  it('renders the longest proportionate text as Markdown', () => {
    const words = '**a** <b> "c" [d](https://example.com) | e\n'.repeat(465);
    expect(renderMarkdown(words.slice(0, 20_000))).toContain('<strong>a</strong> &lt;b&gt;');
  });

  it.each(XSS_VECTORS)('makes %j harmless', (vector) => {
    expect(faultsOfHtml(renderMarkdown(vector))).toEqual([]);
  });

  it('makes any mixture of dangerous pieces harmless', () => {
    const piece = fc.constantFrom(
      ...[
        '<',
        '>',
        '"',
        "'",
        '`',
        '[',
        ']',
        '(',
        ')',
        '!',
        '\\',
        '\n',
        ' ',
        '|',
        '*',
        '_',
        '&',
        ';',
        '#',
        ':',
        '//',
        'x',
      ],
      ...[
        'script',
        'img src=x',
        'onerror=',
        'javascript',
        'data',
        'https',
        'svg',
        'style',
        'href=',
        '&colon',
        '&#x3A',
        '-->',
        ']]>',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(faultsOfHtml(renderMarkdown(pieces.join('')))).toEqual([]);
      }),
      { numRuns: 1_000, seed: 20_261_121 },
    );
  });
});
