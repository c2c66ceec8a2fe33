import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PROJECT_ROOT } from '../../../config/paths.js';
import { guidePage, guidesPage } from './guide-page.js';
import { GUIDE_NAMES } from './guide-list.js';
import { anchorOf } from './read-guide.js';

/** An arbitrary origin; the service can be served below a path. */
const ORIGIN = 'https://forecasts.example/under/';

const linksOf = (html: string): string[] => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href!);
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);

describe('the guides of the service', () => {
  const pages = new Map<string, string>([
    ['docs/guides', guidesPage('../')],
    ['docs/guides/', guidesPage('../../')],
    ...GUIDE_NAMES.map((name): [string, string] => [`docs/guides/${name}`, guidePage(name)!]),
  ]);

  it('are all listed and contain no dead links', () => {
    const others = ['', 'docs', 'openapi.json', 'changelog'];
    const dead = [...pages].flatMap(([path, html]) =>
      linksOf(html).filter((href) => {
        const url = new URL(href, ORIGIN + path);
        if (url.origin !== new URL(ORIGIN).origin) return false;
        const page = url.href.slice(ORIGIN.length).replace(/#.*/, '');
        const isThere = pages.has(page) || others.includes(page);
        return !isThere || (url.hash !== '' && !idsOf(pages.get(page)!).includes(url.hash.slice(1)));
      }),
    );
    expect(dead).toEqual([]);
    for (const index of ['docs/guides', 'docs/guides/']) {
      const listed = linksOf(pages.get(index)!).map((href) => new URL(href, ORIGIN + index).href.slice(ORIGIN.length));
      expect(listed).toEqual(expect.arrayContaining(GUIDE_NAMES.map((name) => `docs/guides/${name}`)));
    }
  });

  it('have exactly one title, scrollable tables and unique anchors', () => {
    for (const [path, html] of pages) {
      expect([path, html.match(/<h1/g)?.length]).toEqual([path, 1]);
      expect(idsOf(html)).toEqual([...new Set(idsOf(html))]);
    }
    expect(pages.get('docs/guides/api')).toContain('<div class="wide" tabindex="0"><table>');
  });

  it('are included in the service image', () => {
    expect(readFileSync(join(PROJECT_ROOT, '.dockerignore'), 'utf8')).toMatch(/^!docs$/m);
  });

  it('exclude all other files', () => {
    for (const name of ['operating', 'api.md', '../README', 'recipes', '', 'constructor']) {
      expect(guidePage(name)).toBeUndefined();
    }
  });
});

describe('the documents in the repository', () => {
  const files = globSync('{*.md,docs/**/*.md,clients/*.md,clients/*/*.md,deploy/*.md,demo/*.md}', {
    cwd: PROJECT_ROOT,
  });
  const textOf = (file: string): string => readFileSync(join(PROJECT_ROOT, file), 'utf8');
  /** The links of a file within the repository: the paths that they lead to, and anchors there. */
  const linksWithin = (file: string): { readonly path: string; readonly anchor: string | undefined }[] =>
    [...textOf(file).matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?[^)]*\)/g)]
      .filter(([, href]) => !/^[a-z]+:/.test(href!))
      .map(([, href, anchor]) => ({ path: href === '' ? file : relative('.', join(dirname(file), href!)), anchor }));
  const anchorsOf = (file: string): string[] =>
    [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      anchorOf(heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
    );

  it('link only to existing files', () => {
    const dead = files.flatMap((file) =>
      linksWithin(file)
        .filter(({ path }) => globSync(path, { cwd: PROJECT_ROOT }).length === 0)
        .map(({ path }) => `${file}: ${path}`),
    );
    expect(files.length).toBeGreaterThan(20);
    expect(dead).toEqual([]);
  });

  it('link only to existing headings', () => {
    const links = files.flatMap((file) =>
      linksWithin(file).flatMap(({ path, anchor }) =>
        anchor !== undefined && path.endsWith('.md') ? [{ file, path, anchor }] : [],
      ),
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter(({ path, anchor }) => !anchorsOf(path).includes(anchor))).toEqual([]);
  });
});
