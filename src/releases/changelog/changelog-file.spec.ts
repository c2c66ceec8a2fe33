import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../../config/paths.js';
import { parseChangelog } from './changelog-file.js';

describe('parseChangelog', () => {
  it('reads the title, notes and entries of each version and skips unreleased changes', () => {
    const releases = parseChangelog(`# Changelog

About this file.

## [Unreleased]

### Added

- Not yet.

## [1.1.0-beta.1] - 2026-02-03

A title
on two lines

Notes, first paragraph.

Second paragraph.

### Added

- One line.
- Two
  lines.

  And a paragraph.

### Fixed

* A fault.

## 1.0.0 - 2026-01-02
### Security
- Something.

[1.0.0]: https://example.com/1.0.0
`);

    expect(releases).toEqual([
      {
        version: '1.1.0-beta.1',
        released_on: '2026-02-03',
        title: 'A title on two lines',
        notes: 'Notes, first paragraph.\n\nSecond paragraph.',
        kind: 'added',
        entries: [
          { kind: 'added', text: 'One line.' },
          { kind: 'added', text: 'Two\nlines.\n\nAnd a paragraph.' },
          { kind: 'fixed', text: 'A fault.' },
        ],
      },
      {
        version: '1.0.0',
        released_on: '2026-01-02',
        title: 'Version 1.0.0',
        notes: '',
        kind: 'security',
        entries: [{ kind: 'security', text: 'Something.' }],
      },
    ]);
  });

  it('skips yanked versions', () => {
    const releases = parseChangelog(`## [1.0.2] - 2026-01-03
## [1.0.1] - 2026-01-02 [YANKED]

### Fixed

- What it broke.

## [1.0.0] - 2026-01-01
`);

    expect(releases.map(({ version, entries }) => [version, entries])).toEqual([
      ['1.0.2', []],
      ['1.0.0', []],
    ]);
  });

  it.each([
    ['## [1.0] - 2026-01-01', 'line 1: "1.0" is not a semantic version'],
    ['## [v1.0.0] - 2026-01-01', 'line 1: "v1.0.0" is not a semantic version'],
    ['\n## [1.0.0]', 'line 2: version 1.0.0 needs a date, YYYY-MM-DD'],
    ['## [1.0.0] - 2026-02-30', 'line 1: version 1.0.0 needs a date, YYYY-MM-DD'],
    ['## [1.0.0] [YANKED]', 'line 1: version 1.0.0 needs a date, YYYY-MM-DD'],
    [
      '## [1.0.0] - 2026-01-01\n### Improved',
      'line 2: the kind must be one of added, changed, deprecated, removed, fixed, security',
    ],
    ['## What is new in 1.0.0', 'line 1: must be "## [version] - YYYY-MM-DD" or "## [Unreleased]"'],
  ])('refuses %j', (markdown, message) => {
    expect(() => parseChangelog(markdown)).toThrow(message);
  });

  it('reads the changelog of this project', () => {
    const releases = parseChangelog(readFileSync(join(PROJECT_ROOT, 'CHANGELOG.md'), 'utf8'));

    expect(releases.at(-1)).toMatchObject({ version: '0.1.0', released_on: '2026-11-21', kind: 'added' });
    for (const release of releases) expect(release.entries.length).toBeGreaterThan(0);
  });

  it("finds no relative link in it, which would be broken on the service's page", () => {
    expect(readFileSync(join(PROJECT_ROOT, 'CHANGELOG.md'), 'utf8')).not.toMatch(/\]\((?!https?:)/);
  });
});
