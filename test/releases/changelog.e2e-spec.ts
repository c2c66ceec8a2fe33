import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { xml2js } from 'xml-js';
import { AppClient } from '../support/app-client.js';
import { createSession, createUser } from '../support/builders.js';
import { faultsOfHtml } from '../support/pages/safe-html.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { XSS_VECTORS } from '../support/pages/xss-vectors.js';

interface AtomText {
  readonly _cdata: string;
}
interface Atom {
  readonly feed: {
    readonly id: { readonly _text: string };
    readonly updated: { readonly _text: string };
    readonly entry: AtomEntry[];
  };
}
interface AtomEntry {
  readonly id: { readonly _text: string };
  readonly title: AtomText;
  readonly content: AtomText;
}

describe('the changelog', () => {
  let service: TestService;
  let operator: AppClient;
  beforeAll(async () => {
    service = await startTestService({ environment: { PUBLIC_URL: 'https://forecast.example/' } });
    const { id } = await createUser(service.database, { isOperator: true });
    operator = new AppClient(service.url, await createSession(service.database, id));
  });
  afterAll(() => service.close());
  beforeEach(() => service.database.execute('DELETE FROM releases'));

  const announce = (version: string, overrides: object = {}) =>
    operator.post<{ id: string }>('/admin/releases', {
      version,
      released_on: '2026-11-20',
      title: `Title ${version}`,
      notes: 'Notes',
      ...overrides,
    });
  const page = async (path = '/changelog') => {
    const reply = await fetch(service.url + path);
    return { reply, html: await reply.text() };
  };
  const elements = (node: DefaultTreeAdapterTypes.Node, name: string): DefaultTreeAdapterTypes.Element[] =>
    ('childNodes' in node ? node.childNodes : []).flatMap((child) => [
      ...('tagName' in child && child.tagName === name ? [child] : []),
      ...elements(child, name),
    ]);

  it('is a page without scripts whose policy allows only its own style', async () => {
    await announce('1.4.0', { entries: [{ kind: 'added', text: 'Runs can be *cancelled*.' }] });

    const { reply, html } = await page();

    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const document = parse(html);
    const [style] = elements(document, 'style');
    const text = style?.childNodes[0];
    const css = text && 'value' in text ? text.value : '';
    expect(reply.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'; img-src data:; ` +
        `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(css).toContain('prefers-color-scheme: dark');
    expect(elements(document, 'script')).toEqual([]);
    expect(html).toContain('<article id="v1.4.0">');
    expect(html).toContain('<time datetime="2026-11-20">20 November 2026</time>');
    expect(html).toContain('<li>Runs can be <em>cancelled</em>.</li>');
    expect(
      elements(document, 'link').map((link) =>
        link.attrs.find((attribute) => attribute.name === 'href')?.value.slice(0, 15),
      ),
    ).toEqual(['data:image/svg+', 'changelog.atom', 'changelog.json']);
  });

  it('says so when it is empty, and links to older entries', async () => {
    expect((await page()).html).toContain('No release yet.');
    for (let patch = 0; patch < 21; patch += 1) await announce(`1.0.${patch}`);

    const { html } = await page();
    const next = /<a rel="next" href="([^"]+)">/.exec(html)?.[1];
    expect(next).toMatch(/^changelog\?cursor=/); // also behind a proxy that serves the service below a path of its own
    const last = await page(`/${next?.replaceAll('&amp;', '&')}`);

    expect([html.match(/<article /g)?.length, last.html.match(/<article /g)?.length]).toEqual([20, 1]);
    expect(last.html).toContain('id="v1.0.0"');
    expect(last.html).not.toContain('rel="next"');
    expect((await page('/changelog?cursor=x')).reply.status).toBe(400);
  });

  it('never includes unsafe HTML pasted by an operator', async () => {
    const postable = XSS_VECTORS.filter((vector) => !/[\u0000-\u0008]/.test(vector));
    for (let n = 0; n < postable.length; n += 50) {
      const entries = postable.slice(n, n + 50).map((text) => ({ kind: 'fixed', text }));
      const created = await announce(`1.0.${n}`, {
        title: '<script>alert(1)</script>]]>',
        notes: postable.slice(n, n + 50).join('\n\n'),
        entries,
      });
      expect(created.status).toBe(201);
    }

    const main = /<main>([^]*)<\/main>/.exec((await page()).html)?.[1] ?? '<missing>';
    const frame = /<(\/?)(article|section|div|time|a class="version"|h2|h3)( (id|class|datetime|href)="[^"<>]*")*>/g;
    expect(faultsOfHtml(main.replace(frame, ''))).toEqual([]);
    const json = (await (await fetch(`${service.url}/changelog.json`)).json()) as { items: { content_html: string }[] };
    expect(json.items.length).toBeGreaterThan(1);
    for (const item of json.items) expect(faultsOfHtml(item.content_html)).toEqual([]);
    const atom = xml2js(await (await fetch(`${service.url}/changelog.atom`)).text(), { compact: true }) as Atom;
    expect(atom.feed.entry.length).toBe(json.items.length);
    for (const entry of atom.feed.entry)
      expect([faultsOfHtml(entry.content._cdata), faultsOfHtml(entry.title._cdata)]).toEqual([[], []]);
  });

  it('is a JSON Feed 1.1', async () => {
    const { body: release } = await announce('1.4.0', {
      notes: 'At *last*.',
      entries: [{ kind: 'added', text: 'One' }],
    });

    const reply = await fetch(`${service.url}/changelog.json`);

    expect(reply.headers.get('content-type')).toBe('application/feed+json; charset=utf-8');
    expect(await reply.json()).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Demand forecasting service: releases',
      description: expect.any(String),
      home_page_url: 'https://forecast.example/changelog',
      feed_url: 'https://forecast.example/changelog.json',
      language: 'en',
      items: [
        {
          id: `urn:uuid:${release.id}`,
          url: 'https://forecast.example/changelog#v1.4.0',
          title: '1.4.0: Title 1.4.0',
          content_html: '<p>At <em>last</em>.</p>\n<h3>Added</h3>\n<ul>\n<li>One</li>\n</ul>\n',
          date_published: '2026-11-20T00:00:00.000Z',
          date_modified: expect.stringMatching(/Z$/),
          tags: ['added'],
        },
      ],
    });
  });

  it('tells feed readers of an edit of an earlier release', async () => {
    await announce('1.3.0', { released_on: '2026-10-20' });
    await announce('1.4.0');
    await service.database.execute(`UPDATE releases SET created_at = '2026-11-01', updated_at = '2026-11-01'`);
    const { body: edited } = await operator.patch<{ updated_at: string }>('/admin/releases/1.3.0', { title: 'Edited' });
    const feed = (await (await fetch(`${service.url}/changelog.json`)).json()) as {
      items: { date_modified: string }[];
    };
    const first = '2026-11-01T00:00:00.000Z';
    expect(feed.items.map((item) => item.date_modified)).toEqual([first, edited.updated_at]);
    const atom = xml2js(await (await fetch(`${service.url}/changelog.atom`)).text(), { compact: true }) as Atom;
    expect(atom.feed.updated._text).toBe(edited.updated_at);
  });

  it('has on its first page what its feeds link to', async () => {
    await Promise.all(Array.from({ length: 22 }, (_, minor) => announce(`1.${minor}.0`)));
    const feed = (await (await fetch(`${service.url}/changelog.json`)).json()) as { items: { url: string }[] };
    const { html } = await page();
    const anchors = feed.items.map(({ url }) => new URL(url).hash.slice(1));
    expect(anchors.length).toBeGreaterThan(9);
    expect(anchors.filter((anchor) => !html.includes(`<article id="${anchor}">`))).toEqual([]);
  });

  it('is an Atom feed', async () => {
    await announce('1.3.0');
    const { body: release } = await announce('1.4.0', { title: 'Fish & <chips>' });

    const reply = await fetch(`${service.url}/changelog.atom`);

    expect(reply.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    const { feed } = xml2js(await reply.text(), { compact: true }) as Atom;
    expect(feed.id._text).toBe('https://forecast.example/changelog');
    expect(feed.entry.map((entry) => entry.title._cdata)).toEqual([
      '1.4.0: Fish &amp; &lt;chips&gt;',
      '1.3.0: Title 1.3.0',
    ]);
    expect(feed.entry[0]?.id._text).toBe(`urn:uuid:${release.id}`);
    expect(feed.entry[0]?.content._cdata).toBe('<p>Notes</p>\n');
  });

  it('is not sent again to readers who have it', async () => {
    await announce('1.4.0');
    for (const path of ['/changelog', '/changelog.json', '/changelog.atom']) {
      const tag = (await fetch(service.url + path)).headers.get('etag') ?? '';
      const again = await fetch(service.url + path, { headers: { 'if-none-match': `"other", ${tag}` } });
      expect([tag.length, again.status, await again.text()]).toEqual([31, 304, '']);
    }
    const tag = (await fetch(`${service.url}/changelog`)).headers.get('etag') ?? '';
    await operator.patch('/admin/releases/1.4.0', { title: 'Another' });
    expect((await fetch(`${service.url}/changelog`, { headers: { 'if-none-match': tag } })).status).toBe(200);
  });
});

describe('feeds without a public URL', () => {
  it('link to where the reader found them, and never to an invalid address', async () => {
    const service = await startTestService();
    const home = async (host: string): Promise<unknown> => {
      const body = await new Promise<string>((resolve, reject) => {
        get(`${service.url}/changelog.json`, { headers: { host } }, (reply) => resolve(text(reply))).on(
          'error',
          reject,
        );
      });
      return (JSON.parse(body) as Record<string, unknown>)['home_page_url'];
    };
    try {
      expect(await home('forecasts.local:8080')).toBe('http://forecasts.local:8080/changelog');
      for (const none of ['x/"><script>', '[', 'a:b:c', 'forecasts.local:99999']) {
        expect([none, await home(none)]).toEqual([none, `${service.url}/changelog`]);
      }
    } finally {
      await service.close();
    }
  });
});
