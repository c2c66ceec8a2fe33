import { isDay } from '../../platform/http/rules/calendar-day.js';
import { oneOfFault } from '../../platform/http/rules/one-of.js';
import type { ReleaseText } from '../dto/replies.dto.js';
import { CHANGE_KINDS, type ChangeKind, leadingKind } from '../release.js';
import { isVersion } from '../version.js';

/** The changelog cannot be parsed; the message names the line. */
class ChangelogError extends Error {
  override readonly name = 'ChangelogError';

  constructor(line: number, fault: string) {
    super(`line ${line}: ${fault}`);
  }
}

const VERSION_HEADING = /^## \[?([^\]\s]+)\]?(?: - (\S+))?( \[YANKED\])?\s*$/;
const KIND_HEADING = /^### (\S+)\s*$/;
const ITEM = /^[-*] (.+)$/;
const LINK_DEFINITION = /^\[[^\]]+\]: \S+$/;

/** The part of a version while it is being parsed. */
class Section {
  private readonly paragraphs: string[] = [];
  private readonly entries: { kind: ChangeKind; text: string }[] = [];
  private kind: ChangeKind | undefined;

  constructor(
    readonly version: string,
    readonly releasedOn: string,
  ) {}

  begin(kind: ChangeKind): void {
    this.kind = kind;
  }

  add(text: string): void {
    const item = ITEM.exec(text)?.[1];
    const last = this.entries.at(-1);
    if (this.kind === undefined) this.paragraphs.push(text);
    else if (item !== undefined) this.entries.push({ kind: this.kind, text: item });
    else if (last !== undefined) last.text += `\n${text.replace(/^ {2}/, '')}`;
  }

  /** The first paragraph is the title; the others before the changes are the notes. */
  finish(): ReleaseText {
    const [title = '', ...notes] = this.paragraphs
      .join('\n')
      .trim()
      .split(/\n\s*\n/);
    const entries = this.entries.map((entry) => ({ ...entry, text: entry.text.trim() }));
    return {
      version: this.version,
      released_on: this.releasedOn,
      title: title.replaceAll('\n', ' ') || `Version ${this.version}`,
      notes: notes.join('\n\n'),
      kind: leadingKind(entries),
      entries,
    };
  }
}

/**
 * Parses a changelog in the format of Keep a Changelog 1.1.0: `## [version] - day`, followed by a title, notes, and `### Added` …
 * with a list each. Unreleased and yanked (`[YANKED]`) versions are skipped.
 * @returns the releases in the order of the file, newest first
 * @throws {ChangelogError}
 */
export function parseChangelog(markdown: string): ReleaseText[] {
  const sections: Section[] = [];
  let current: Section | undefined;
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const version = VERSION_HEADING.exec(line);
    const kind = KIND_HEADING.exec(line)?.[1]?.toLowerCase();
    if (version) {
      current = versionSection(index + 1, version[1] ?? '', version[2]);
      if (current && version[3] === undefined) sections.push(current);
    } else if (line.startsWith('## ')) {
      throw new ChangelogError(index + 1, 'must be "## [version] - YYYY-MM-DD" or "## [Unreleased]"');
    } else if (kind !== undefined) {
      const known = CHANGE_KINDS.find((name) => name === kind);
      if (!known) throw new ChangelogError(index + 1, `the kind ${oneOfFault(CHANGE_KINDS)}`);
      current?.begin(known);
    } else if (!LINK_DEFINITION.test(line)) {
      current?.add(line);
    }
  }
  return sections.map((section) => section.finish());
}

function versionSection(line: number, version: string, day: string | undefined): Section | undefined {
  if (version.toLowerCase() === 'unreleased') return undefined;
  if (!isVersion(version)) throw new ChangelogError(line, `"${version}" is not a semantic version`);
  if (day === undefined || !isDay(day)) throw new ChangelogError(line, `version ${version} needs a date, YYYY-MM-DD`);
  return new Section(version, day);
}
