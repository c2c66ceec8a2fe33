/** Kinds of change, as named by Keep a Changelog, in display order. */
export const CHANGE_KINDS = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One change of a release; `text` is Markdown. */
export interface ReleaseEntry {
  readonly kind: ChangeKind;
  readonly text: string;
}

/** A numbered release of the product. */
export interface Release {
  readonly id: string;
  /** Semantic version without build metadata, for example 1.4.0 or 2.0.0-beta.1. */
  readonly version: string;
  /** A date, YYYY-MM-DD. */
  readonly released_on: string;
  readonly title: string;
  /** Markdown; may be empty if the entries say it all. */
  readonly notes: string;
  /** What the release is mainly about. */
  readonly kind: ChangeKind;
  readonly entries: readonly ReleaseEntry[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The parts of a release written by people. */
export type ReleaseText = Omit<Release, 'id' | 'created_at' | 'updated_at'>;

export const NOTES_MAX = 20_000;
export const TITLE_MAX = 200;
export const ENTRY_MAX = 2_000;
export const ENTRIES_MAX = 200;

/** The default kind of a release: that of its first entry. */
export const leadingKind = (entries: readonly ReleaseEntry[]): ChangeKind => entries[0]?.kind ?? 'changed';
