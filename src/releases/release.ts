/** Kinds of change, as named by Keep a Changelog, in display order. */
export const CHANGE_KINDS = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Maximum lengths, in characters, and the maximum number of entries. */
export const MAX_NOTES_LENGTH = 20_000;
export const MAX_TITLE_LENGTH = 200;
export const MAX_ENTRY_LENGTH = 2_000;
export const MAX_ENTRIES = 200;

/** The default kind of a release: that of its first entry. */
export const leadingKind = (entries: readonly { readonly kind: ChangeKind }[]): ChangeKind =>
  entries[0]?.kind ?? 'changed';
