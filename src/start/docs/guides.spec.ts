import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PROJECT_ROOT } from '../../../config/paths.js';
import { guidePage, guidesPage } from './guide-page.js';
import { GUIDES } from './guides.js';

const NAMES = GUIDES.flatMap(({ names }) => [...names]);
/** An arbitrary origin; the service can be served below a path. */
const ORIGIN = 'https://forecasts.example/under/';

const linksOf = (html: string): string[] => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href!);
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);

describe('the guides of the service', () => {
  const pages = new Map<string, string>([
    ['docs/guides', guidesPage('../')],
    ['docs/guides/', guidesPage('../../')],
    ...NAMES.map((name): [string, string] => [`docs/guides/${name}`, guidePage(name)!]),
  ]);

  it('are all listed and contain no dead links', () => {
    const others = ['docs', 'openapi.json'];
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
      expect(listed).toEqual(expect.arrayContaining(NAMES.map((name) => `docs/guides/${name}`)));
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
  it('link only to existing files', () => {
    const files = globSync('{*.md,docs/**/*.md,clients/*.md,clients/*/*.md,deploy/*.md,demo/*.md}', {
      cwd: PROJECT_ROOT,
    });
    const dead = files.flatMap((file) =>
      [...readFileSync(join(PROJECT_ROOT, file), 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, href]) => href!)
        .filter((href) => !/^[a-z]+:/.test(href))
        .map((href) => relative('.', join(dirname(file), href)))
        .filter((path) => globSync(path, { cwd: PROJECT_ROOT }).length === 0)
        .map((path) => `${file}: ${path}`),
    );
    expect(files.length).toBeGreaterThan(20);
    expect(dead).toEqual([]);
  });
});
