import { Feed } from 'feed';
import { escapeHtml } from '../../platform/http/replies/escape-html.js';
import type { ReleaseBody } from '../dto/replies.dto.js';
import { releaseHtml } from './release-content.js';

export const FEED_TITLE = 'Demand forecasting service: releases';
const FEED_DESCRIPTION = 'What changed in the demand forecasting service, release by release.';

const titleOf = (release: ReleaseBody): string => `${release.version}: ${release.title}`;
/** Independent of the service's address: readers identify an item by it. */
const itemId = (release: ReleaseBody): string => `urn:uuid:${release.id}`;
const publishedAt = (release: ReleaseBody): string => `${release.released_on}T00:00:00.000Z`;
const urlOf = (base: string, release: ReleaseBody): string => `${base}/changelog#v${release.version}`;

/**
 * JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
 * @param base address of the service without a trailing slash
 */
export function jsonFeed(releases: readonly ReleaseBody[], base: string): object {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: FEED_TITLE,
    description: FEED_DESCRIPTION,
    home_page_url: `${base}/changelog`,
    feed_url: `${base}/changelog.json`,
    language: 'en',
    items: releases.map((release) => ({
      id: itemId(release),
      url: urlOf(base, release),
      title: titleOf(release),
      content_html: releaseHtml(release),
      date_published: publishedAt(release),
      date_modified: release.updated_at,
      tags: [...new Set([release.kind, ...release.entries.map((entry) => entry.kind)])],
    })),
  };
}

/**
 * Atom (RFC 4287).
 * @param base address of the service without a trailing slash
 */
export function atomFeed(releases: readonly ReleaseBody[], base: string): string {
  const changes = releases.map((release) => release.updated_at.getTime());
  const feed = new Feed({
    id: `${base}/changelog`,
    title: FEED_TITLE,
    description: FEED_DESCRIPTION,
    link: `${base}/changelog`,
    feedLinks: { atom: `${base}/changelog.atom`, json: `${base}/changelog.json` },
    language: 'en',
    copyright: '',
    updated: new Date(Math.max(0, ...changes)),
    author: { name: 'Demand forecasting service' },
    generator: false,
  });
  for (const release of releases) {
    feed.addItem({
      id: itemId(release),
      // the library writes titles as HTML
      title: escapeHtml(titleOf(release)),
      link: urlOf(base, release),
      published: new Date(publishedAt(release)),
      date: release.updated_at,
      content: releaseHtml(release),
    });
  }
  return feed.atom1();
}
