/** Kinds of change, as named by Keep a Changelog, in display order. */
export const CHANGE_KINDS = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Maximum lengths, in characters, and the maximum number of entries. */
export const NOTES_MAX = 20_000;
export const TITLE_MAX = 200;
export const ENTRY_MAX = 2_000;
export const ENTRIES_MAX = 200;

/** The default kind of a release: that of its first entry. */
export const leadingKind = (entries: readonly { readonly kind: ChangeKind }[]): ChangeKind =>
  entries[0]?.kind ?? 'changed';
